"""Steps of lists, tuples, dicts and objects: their shadows are built and changed along with them."""

import dataclasses
from typing import Any

import gast
import numpy as np

from pullback.compiler.adjoint.bars import Bar, Contributions
from pullback.compiler.adjoint.context import Part
from pullback.compiler.adjoint.steps import Save, Step, kept
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value, replace
from pullback.compiler.analysis.zeros import zero_array, zero_number, zeros_like
from pullback.compiler.ir.template import assign, call, clone, constant, expression, loaded, name, stored
from pullback.compiler.ir.walk import every_node, root_of


class ContainerSteps(Part):
    """The part of the planner that deals with containers."""

    # -- displays -----------------------------------------------------------------------------

    def is_display(self, node: gast.AST) -> bool:
        """Is this a new container written out: a display, or a call that makes one of its arguments?"""
        if isinstance(node, (gast.List, gast.Tuple, gast.Dict)):
            return True
        return self.constructed(node) is not None

    def constructed(self, node: gast.AST) -> dict[Any, gast.expr] | None:
        """Pair(a, right=b), dict(a=x), SimpleNamespace(a=x), a dataclass → its fields."""
        if (
            not isinstance(node, gast.Call)
            or node not in self.facts.resolved
            or any(isinstance(a, gast.Starred) for a in node.args)
        ):
            return None
        cls = self.facts.resolved[node]
        value = self.type_of(node)
        if value.kind == "tuple" and value.code is not None and cls is value.code:
            given = dict(zip(cls._fields, node.args)) | {k.arg: k.value for k in node.keywords}
            return given | {f: self._number(v) for f, v in _number_defaults(cls).items() if f not in given}
        if cls is dict and not node.args:
            return {k.arg: k.value for k in node.keywords}
        if cls is object.__new__:
            return self._of_class(value, {})
        if value.kind == "object" and isinstance(cls, type):
            fields = [f.name for f in dataclasses.fields(cls) if f.init] if dataclasses.is_dataclass(cls) else []
            return self._of_class(value, dict(zip(fields, node.args)) | {k.arg: k.value for k in node.keywords})
        return None

    def _of_class(self, value: Value, given: dict[Any, gast.expr]) -> dict[Any, gast.expr]:
        """The fields of a new object, with those that begin as a number of the class and become active later."""
        roots = self.program.roots(value)
        kin = [c for site, c in self.program.heap.items() if self.program.root(site) in roots]
        cls = next((c.cls for c in self.program.cells(value)), None)
        for cell in kin:  # one text may be for all of them
            for field, held in cell.fields.items():
                start = _start(cls, str(field))
                if field in given or not self.program.is_varied(held):
                    continue
                if isinstance(start, (int, float)):
                    given[field] = self._number(start)
                elif isinstance(start, np.ndarray):
                    given[field] = name(self.spec.code.give(start))
                    self.facts.types[given[field]] = replace(held, varied=False, sites=frozenset())
        return given

    def _number(self, start: float) -> gast.expr:
        """A number that a class gives a field, as text."""
        node = constant(start)
        self.facts.types[node] = Value("float")
        return node

    def display_shadow(self, node: Any) -> gast.expr:
        """[x, u, "name"] → [0.0, u_bar, None]."""
        loose = self.is_loose(self.type_of(node))
        if isinstance(node, gast.List) and self._becomes_numbers(node):
            return gast.List([self._first_zero(node) for _ in node.elts], gast.Load())
        if isinstance(node, (gast.List, gast.Tuple)):
            return gast.List([self.element_shadow(e, loose) for e in node.elts], gast.Load())
        if isinstance(node, gast.Dict):
            keys = [clone(k) for k in node.keys]
            return gast.Dict(keys, [self._item_shadow(k, v, loose) for k, v in zip(node.keys, node.values)])
        fields = self.constructed(node) or {}
        value = self.type_of(node)
        if value.kind == "tuple":
            named = value.code._fields
            return gast.List(
                [self.element_shadow(fields[f], loose) if f in fields else constant(None) for f in named],
                gast.Load(),
            )
        if value.kind == "dict":
            items = [self.element_shadow(v, loose) for v in fields.values()]
            return gast.Dict([constant(k) for k in fields], items)
        keywords = [gast.keyword(k, self.element_shadow(v, loose)) for k, v in fields.items()]
        return gast.Call(name("Shadow"), [], keywords)

    def _becomes_numbers(self, node: gast.List) -> bool:
        """[None], of which the elements are numbers later, or those of a list made of it."""
        empty = all(isinstance(e, gast.Constant) and e.value is None for e in node.elts)
        contents = [c.content for c in self.program.cells(self.type_of(node))]
        return empty and all(c is not None and c.kind in SCALARS for c in contents)

    def _first_zero(self, node: gast.List) -> gast.expr:
        complex_ = any(c.content is not None and c.content.is_complex for c in self.program.cells(self.type_of(node)))
        return constant(0j if complex_ else 0.0)

    def is_loose(self, value: Value) -> bool:
        """Is the shadow of a number in such a container an array?"""
        return self.shadows.every_loose or bool(self.program.roots(value) & self.shadows.loose)

    def zeros_of(self, node: gast.expr, value: Value) -> gast.expr:
        """A shadow of zeros for what is not written out."""
        return call("zeros", clone(node), *([constant(None), constant(True)] if self.shadows.has_loose(value) else []))

    def _item_shadow(self, key: gast.expr | None, value: gast.expr, loose: bool) -> gast.expr:
        """{**d} has the shadows of d's arrays and containers, and zeros of its own for the numbers."""
        if key is not None:
            return self.element_shadow(value, loose)
        return call("renewed", self.element_shadow(value), *([constant(True)] if loose else []))

    def element_shadow(self, node: gast.expr, loose: bool = False) -> gast.expr:
        """What the shadow of a container holds for an element."""
        value = self.type_of(node)
        if isinstance(node, gast.Starred):
            return gast.Starred(self.element_shadow(node.value), gast.Load())
        if self.is_display(node) and value.kind in CONTAINERS:
            return self.display_shadow(node)
        if value.kind in SCALARS:
            return zero_array(value) if loose else zero_number(value, node)
        if self.program.is_varied(value) or value.kind in ("array", "number", *CONTAINERS):
            inner = self.planner.views.mirrored(node) if self.shadows.has(value) else None
            if inner is not None and not (self.hold is not None and self.planner.views.may_copy(node)):
                return inner
            if not self.program.is_varied(value):
                return self.zeros_of(node, value)
            part = self.expressions.is_part(node) and (
                not isinstance(node, gast.Subscript) or self.expressions.basic_index(node)
            )
            if not self.shadows.has(value) and (
                isinstance(node, gast.Name) or part
            ):  # in a tuple: nobody writes into it
                return zeros_like(value, clone(node)) if value.kind == "array" else self.zeros_of(node, value)
            if self.hold is not None:
                self.hold(node)
                return constant(None)
            self.refuse(
                node,
                "cannot settle the adjoint of this element",
                "It is an array on one path and a number on another, or has no name of its own.",
                "give it a name first",
            )
        return constant(0.0 if value.kind == "none" else None)  # there may be a number later

    def adjoint(self, node: Any, bar: gast.expr) -> Contributions:
        """What the elements of a display receive from its shadow."""
        found = Contributions()
        if isinstance(node, gast.Dict):
            found.loops += self._returned_items(node, bar)
        for element, part in self._parts(node, bar):
            value = self.type_of(element)
            if not self.program.is_varied(value):
                continue
            if self.is_display(element) and value.kind in CONTAINERS:
                inner = self.adjoint(element, part)
            elif self.gathers(value):
                inner = self.expressions.adjoint(element, Bar(self.as_number(part, self.type_of(node))))
            else:
                continue
            found.prelude += inner.prelude
            found.found += inner.found
            found.loops += inner.loops
            found.helpers |= inner.helpers
        return found

    def gathers(self, value: Value) -> bool:
        """Does the slot of such an element gather an ordinary value for it? That of memory with a shadow holds this."""
        return value.kind in SCALARS or not self.shadows.has(value)

    def as_number(self, part: gast.expr, container: Value) -> gast.expr:
        """What a slot gathered for a number, as a number: of an array of no dimension, which others may hold too."""
        return gast.UnaryOp(gast.UAdd(), part) if self.is_loose(container) else part

    def _returned_items(self, node: gast.Dict, bar: gast.expr) -> list[gast.stmt]:
        """{**d, k: v}: the numbers of d receive what the new dict gathered, but for what came after."""
        done: list[gast.stmt] = []
        later: list[gast.expr] = []
        for key, value in reversed(list(zip(node.keys, node.values))):
            if key is not None:
                later.insert(0, clone(key))
                continue
            if self.shadows.has(self.type_of(value)):
                shadow = self.expressions.bar_place(value)
                but = [gast.Tuple(list(later), gast.Load())] if later else []
                done.append(gast.Expr(call("return_numbers", shadow, clone(bar), *but)))
            later.insert(0, gast.Starred(clone(value), gast.Load()))
        return done

    def _parts(self, node: Any, bar: gast.expr) -> list[tuple[gast.expr, gast.expr]]:
        def part(key: Any) -> gast.expr:
            return gast.Subscript(clone(bar), key if isinstance(key, gast.AST) else constant(key), gast.Load())

        if isinstance(node, (gast.List, gast.Tuple)):
            return [(e, part(i)) for i, e in enumerate(node.elts)]
        if isinstance(node, gast.Dict):
            return [(v, part(clone(k))) for k, v in zip(node.keys, node.values) if k is not None]
        fields = self.constructed(node) or {}
        value = self.type_of(node)
        if value.kind == "tuple":
            return [(v, part(value.code._fields.index(f))) for f, v in fields.items()]
        if value.kind == "dict":
            return [(v, part(f)) for f, v in fields.items()]
        return [(v, gast.Attribute(clone(bar), f, gast.Load())) for f, v in fields.items()]

    # -- writes -------------------------------------------------------------------------------

    def write(
        self, s: gast.stmt, target: Any, place: gast.expr, value: gast.expr, op: gast.operator | None
    ) -> Step:
        """`d[k] = e`, `obj.field = e`, `L[i] += e`."""
        base = target.value
        base_type = self.type_of(base)
        self.planner.statement = s
        step = Step(s, [s])
        if isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Slice):
            if not self.shadows.has(base_type):
                return self.planner.inert.step(s)
            self.refuse(
                s,
                "cannot reverse this slice assignment to a list",
                "The list may change its length.",
                "assign the elements one by one",
            )
            return step
        old = self.planner.writes.part_type(place)
        if op is not None:  # what is in the slot may change in place
            through = self.through(place) | self.program.roots(base_type)
            self.planner.inert.keep_content(step, place, old.kind, self.program.roots(old), through)
        self._keep_slot(step, place, base_type)
        if not self.shadows.has(base_type):
            return step
        step.always = True
        slot = self.expressions.bar_place(place)
        new = self.type_of(value)
        if op is not None and old.kind in ("array", "number") and not (old.kind == "number" and self.varied(value)):
            return self._array_in_container(s, target, value, op)
        if op is not None and old.kind not in SCALARS:
            if old.kind == "number":
                self.refuse(
                    s,
                    "cannot tell whether this assignment writes in place",
                    "The element is a number on one path and an array on another.",
                    "write `x[i] = x[i] + y`",
                )
            return step
        if op is not None:
            node = gast.copy_location(gast.BinOp(place, op, value), s)
            self.facts.types[node] = old.active()
            value, new = node, old
        one_kind = not (old.perhaps_complex or new.perhaps_complex or old.optional)  # any number leaves the same zero
        numbers = old.kind in (*SCALARS, "bottom", "none") and one_kind and not self.is_loose(base_type)
        if new.kind in SCALARS and (numbers or base_type.kind == "list" and old.kind == "opaque"):
            self._number_slot(step, slot, value, base_type)
        else:
            self._reference_slot(step, slot, value, base_type)
        return step

    def _array_in_container(self, s: Any, target: Any, value: gast.expr, op: gast.operator) -> Step:
        """L[i] *= e where L[i] is an array: a write into the array itself."""
        held = self.names.fresh("held") if self.hold is None else "held"
        place = loaded(target)
        self.copy_types(target, place)
        old = self.planner.writes.part_type(place)
        variable = name(held, store=True)
        self.facts.types[variable] = old
        inner = gast.copy_location(gast.AugAssign(variable, op, value), s)
        step = self.planner.writes.write(inner, variable, value, op)
        mirrored = self.expressions.bar_place(place)
        step.statement = s
        bar = self.expressions.bar_of(held, old)
        step.prefix = [assign(held, clone(place)), assign(bar, mirrored)]
        step.forward = [inner]
        step.values[held] = old
        step.defines |= {held, bar}
        step.reads_new |= {held, bar}
        return step

    def _keep_slot(self, step: Step, place: gast.expr, base: Value) -> None:
        roots = self.program.roots(base)
        if not roots:
            return
        restore: gast.stmt = gast.Assign([stored(place)], kept(), None)
        if base.kind == "dict" and roots & self.shadows.asked_for_keys:
            text = call("held_item", place.value, place.slice)  # type: ignore[attr-defined]
            restore = gast.Expr(call("restore_item", clone(place.value), clone(place.slice), kept()))  # type: ignore[attr-defined]
        elif base.kind == "dict":
            text = expression("d.get(k)", d=place.value, k=place.slice)  # type: ignore[attr-defined]
        elif base.kind == "object":
            text = expression("getattr(o, f, None)", o=place.value, f=constant(place.attr))  # type: ignore[attr-defined]
        else:
            text = clone(place)
        root = root_of(place)
        step.saves.append(Save(roots, text, restore, root.id, self.through(place)))

    def through(self, place: gast.expr) -> frozenset[str]:
        """The memory of the containers that lead to a part: it is found again only where they are as they were."""
        found: frozenset[str] = frozenset()
        node = getattr(place, "value", None)
        while isinstance(node, (gast.Subscript, gast.Attribute)):
            node = node.value
            value = self.type_of(node)
            if not value.numeric:
                found |= self.program.roots(value)
        return found

    def _number_slot(self, step: Step, slot: gast.expr, value: gast.expr, base: Value) -> None:
        zero = gast.Assign([stored(slot)], zero_number(self.type_of(value), value), None)
        if base.kind in ("dict", "object"):
            step.forward.append(clone(zero))  # the slot may be new
        if not self.varied(value):
            step.take.append(zero)
            return
        if self.has_one_leaf(value) and self.planner.writes.plain_names(value):
            step.contributions = self.expressions.adjoint(value, Bar(clone(slot)))
            step.finish.append(zero)
            return
        held = self.names.fresh("entry_bar") if self.hold is None else "held_bar"
        step.take += [assign(held, clone(slot)), zero]
        step.contributions = self.expressions.adjoint(value, Bar(name(held)))

    def _reference_slot(self, step: Step, slot: gast.expr, value: gast.expr, base: Value) -> None:
        """The slot's shadow becomes that of the new element; the old one comes back in reverse."""
        shadow = self.element_shadow(value, self.is_loose(base))
        held = self.names.fresh("old_bar") if self.hold is None else "held_bar"
        if isinstance(slot, gast.Attribute):
            old = expression("getattr(o, f, None)", o=slot.value, f=constant(slot.attr))
        elif base.kind == "dict":
            assert isinstance(slot, gast.Subscript)
            old = expression("d.get(k)", d=slot.value, k=slot.slice)
        else:
            old = clone(slot)
        step.forward = [assign(held, old), *step.forward, gast.Assign([stored(slot)], shadow, None)]
        step.defines.add(held)
        step.reads_new.add(held)
        back = gast.Assign([stored(slot)], name(held), None)
        new: gast.expr = clone(slot)
        if self.gathers(self.type_of(value)) or self._reads_container(value, base):
            new = name(self.names.fresh("new_bar") if self.hold is None else "new_bar")
            step.take += [assign(new.id, clone(slot)), back]  # type: ignore[attr-defined]
        else:
            step.finish.append(back)
        if self.is_display(value):
            step.contributions = self.adjoint(value, new)
        elif self.gathers(self.type_of(value)) and self.varied(value):
            step.contributions = self.expressions.adjoint(value, Bar(self.as_number(new, base)))

    def _reads_container(self, value: gast.expr, base: Value) -> bool:
        """Does a new element read the container that it goes to?"""
        roots = self.program.roots(base)
        return any(self.program.roots_inside(self.type_of(n)) & roots for n in every_node(value))


def _number_defaults(cls: Any) -> dict[str, float]:
    """The fields of a named tuple that are numbers where nothing is given for them."""
    return {f: v for f, v in getattr(cls, "_field_defaults", {}).items() if isinstance(v, (int, float))}


def _start(cls: Any, field: str) -> Any:
    """What a class gives a field that its constructor is not given."""
    declared = getattr(cls, "__dataclass_fields__", {}).get(field)  # with slots the class has none of the values
    return declared.default if declared is not None else getattr(cls, field, None)
