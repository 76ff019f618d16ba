"""Steps of lists, tuples, dicts and objects: their shadows are built and changed along with them."""

import dataclasses
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Bar, Contributions
from pullback.compiler.adjoint.steps import Save, Step, kept
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value
from pullback.compiler.ir.template import (
    assign,
    call,
    clone,
    constant,
    expression,
    loaded,
    name,
    statements,
    stored,
)
from pullback.compiler.ir.walk import literal_int, reads, root_of


class ContainerSteps:
    """The part of the planner that deals with containers."""

    program: Any
    spec: Any
    shadows: Any
    facts: Any
    names: Any
    expressions: Any
    hold: Any
    type_of: Any
    varied: Any
    refuse: Any
    after: Any
    mirrored: Any
    _statement: Any
    part_type: Any
    _copy_types: Any
    may_copy: Any
    _once: Any
    _plain_names: Any
    _inert: Any

    # -- displays -----------------------------------------------------------------------------

    def is_display(self, node: gast.AST) -> bool:
        """Is this a new container written out: a display, or a call that makes one of its arguments?"""
        if isinstance(node, (gast.List, gast.Tuple, gast.Dict)):
            return True
        return self._constructed(node) is not None

    def _constructed(self, node: gast.AST) -> dict[Any, gast.expr] | None:
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
            return dict(zip(cls._fields, node.args)) | {k.arg: k.value for k in node.keywords}
        if cls is dict and not node.args:
            return {k.arg: k.value for k in node.keywords}
        if cls is object.__new__:
            return {}
        if value.kind == "object" and isinstance(cls, type):
            fields = [f.name for f in dataclasses.fields(cls) if f.init] if dataclasses.is_dataclass(cls) else []
            return dict(zip(fields, node.args)) | {k.arg: k.value for k in node.keywords}
        return None

    def display_shadow(self, node: Any) -> gast.expr:
        """[x, u, "name"] → [0.0, u_bar, None]."""
        if isinstance(node, (gast.List, gast.Tuple)):
            return gast.List([self.element_shadow(e) for e in node.elts], gast.Load())
        if isinstance(node, gast.Dict):
            keys = [clone(k) for k in node.keys]
            return gast.Dict(keys, [self._item_shadow(k, v) for k, v in zip(node.keys, node.values)])
        fields = self._constructed(node) or {}
        value = self.type_of(node)
        if value.kind == "tuple":
            named = value.code._fields
            return gast.List(
                [self.element_shadow(fields[f]) if f in fields else constant(None) for f in named],
                gast.Load(),
            )
        if value.kind == "dict":
            return gast.Dict([constant(k) for k in fields], [self.element_shadow(v) for v in fields.values()])
        keywords = [gast.keyword(k, self.element_shadow(v)) for k, v in fields.items()]
        return gast.Call(name("Shadow"), [], keywords)

    def _item_shadow(self, key: gast.expr | None, value: gast.expr) -> gast.expr:
        """{**d} has the shadows of d's arrays and containers, and zeros of its own for the numbers."""
        if key is not None:
            return self.element_shadow(value)
        return call("renewed", self.element_shadow(value))

    def element_shadow(self, node: gast.expr) -> gast.expr:
        """What the shadow of a container holds for an element."""
        value = self.type_of(node)
        if isinstance(node, gast.Starred):
            return gast.Starred(self.element_shadow(node.value), gast.Load())
        if self.is_display(node) and value.kind in CONTAINERS:
            return self.display_shadow(node)
        if value.kind in SCALARS:
            return constant(0.0)
        if self.program.is_varied(value) or value.kind in ("array", "number", *CONTAINERS):
            inner = self.mirrored(node) if self.shadows.has(value) else None
            if inner is not None and not (self.hold is not None and self.may_copy(node)):
                return inner
            if not self.program.is_varied(value):
                return call("zeros", clone(node))
            part = self.expressions.is_part(node) and (
                not isinstance(node, gast.Subscript) or self.expressions.basic_index(node)
            )
            if not self.shadows.has(value) and (
                isinstance(node, gast.Name) or part
            ):  # in a tuple: nobody writes into it
                return call("np.zeros_like" if value.kind == "array" else "zeros", clone(node))
            if self.hold is not None:
                self.hold(node)
                return constant(None)
            self.refuse(
                node,
                "cannot settle the adjoint of this element",
                "It is an array on one path and a number on another, or has no name of its own.",
                "give it a name first",
            )
        return constant(None)

    def container_adjoint(self, node: Any, bar: gast.expr) -> Contributions:
        """What the elements of a display receive from its shadow."""
        found = Contributions()
        if isinstance(node, gast.Dict):
            found.loops += self._returned_items(node, bar)
        for element, part in self._parts(node, bar):
            value = self.type_of(element)
            if not self.program.is_varied(value):
                continue
            if self.is_display(element) and value.kind in CONTAINERS:
                inner = self.container_adjoint(element, part)
            elif value.kind in SCALARS or not self.shadows.has(value):
                inner = self.expressions.adjoint(element, Bar(part))
            else:
                continue
            found.prelude += inner.prelude
            found.found += inner.found
            found.loops += inner.loops
            found.helpers |= inner.helpers
        return found

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
        fields = self._constructed(node) or {}
        value = self.type_of(node)
        if value.kind == "tuple":
            return [(v, part(value.code._fields.index(f))) for f, v in fields.items()]
        if value.kind == "dict":
            return [(v, part(f)) for f, v in fields.items()]
        return [(v, gast.Attribute(clone(bar), f, gast.Load())) for f, v in fields.items()]

    # -- writes -------------------------------------------------------------------------------

    def _container_write(
        self, s: gast.stmt, target: Any, place: gast.expr, value: gast.expr, op: gast.operator | None
    ) -> Step:
        """`d[k] = e`, `obj.field = e`, `L[i] += e`."""
        base = target.value
        base_type = self.type_of(base)
        self._statement = s
        step = Step(s, [s])
        if isinstance(target, gast.Subscript) and isinstance(target.slice, gast.Slice):
            self.refuse(
                s,
                "cannot reverse this slice assignment to a list",
                "The list may change its length.",
                "assign the elements one by one",
            )
            return step
        self._keep_slot(step, place, base_type)
        if not self.shadows.has(base_type):
            return step
        step.always = True
        slot = self.expressions.bar_place(place)
        old = self._old_type(place)
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
        if new.kind in SCALARS:
            self._number_slot(step, slot, value, base_type)
        else:
            self._reference_slot(step, slot, value, base_type)
        return step

    def _array_in_container(self, s: Any, target: Any, value: gast.expr, op: gast.operator) -> Step:
        """L[i] *= e where L[i] is an array: a write into the array itself."""
        held = self.names.fresh("held") if self.hold is None else "held"
        place = loaded(target)
        self._copy_types(target, place)
        old = self._old_type(place)
        variable = name(held, store=True)
        self.facts.types[variable] = old
        inner = gast.copy_location(gast.AugAssign(variable, op, value), s)
        step = self._write(inner, variable, value, op)
        mirrored = self.expressions.bar_place(place)
        step.statement = s
        bar = self.expressions.bar_of(held, old)
        step.prefix = [assign(held, clone(place)), assign(bar, mirrored)]
        step.forward = [inner]
        step.values[held] = old
        step.defines |= {held, bar}
        step.reads_new |= {held, bar}
        return step

    _write: Any

    def _old_type(self, place: gast.expr) -> Value:
        return self.part_type(place) if isinstance(place, gast.Subscript) else self.type_of(place)

    def _keep_slot(self, step: Step, place: gast.expr, base: Value) -> None:
        roots = self.program.roots(base)
        if not roots:
            return
        if base.kind == "dict":
            text = expression("d.get(k)", d=place.value, k=place.slice)  # type: ignore[attr-defined]
        elif base.kind == "object":
            text = expression("getattr(o, f, None)", o=place.value, f=constant(place.attr))  # type: ignore[attr-defined]
        else:
            text = clone(place)
        root = root_of(place)
        restore = gast.Assign([stored(place)], kept(), None)
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
        zero = gast.Assign([stored(slot)], constant(0.0), None)
        if base.kind in ("dict", "object"):
            step.forward.append(clone(zero))  # the slot may be new
        if not self.varied(value):
            step.take.append(zero)
            return
        if self._once(value) and self._plain_names(value):
            step.contributions = self.expressions.adjoint(value, Bar(clone(slot)))
            step.finish.append(zero)
            return
        held = self.names.fresh("entry_bar") if self.hold is None else "held_bar"
        step.take += [assign(held, clone(slot)), zero]
        step.contributions = self.expressions.adjoint(value, Bar(name(held)))

    def _reference_slot(self, step: Step, slot: gast.expr, value: gast.expr, base: Value) -> None:
        """The slot's shadow becomes that of the new element; the old one comes back in reverse."""
        shadow = self.element_shadow(value)
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
        if self.is_display(value):
            step.contributions = self.container_adjoint(value, clone(slot))
        step.finish.append(gast.Assign([stored(slot)], name(held), None))

    # -- methods ------------------------------------------------------------------------------

    def _container_call(self, s: gast.Expr, node: gast.Call) -> Step | None:
        if not isinstance(node.func, gast.Attribute):
            return None
        base = self.type_of(node.func.value)
        if base.kind == "dict" and node.func.attr == "update" and self.shadows.has(base):
            return self._update(s, node)
        if base.kind != "list" or not self.shadows.has(base):
            if base.kind in ("list", "dict") and self.shadows.has(base):
                self.refuse(
                    node,
                    f"cannot reverse `{node.func.attr}` of a dict",
                    "It changes several items at once.",
                    "assign the items one by one",
                )
            return None
        if node.func.attr == "append":
            return self._append(s, node)
        if node.func.attr == "pop":
            return self._pop(s, node, None)
        if node.func.attr == "insert":
            return self._insert(s, node)
        self.refuse(
            node,
            f"cannot reverse the list method `{node.func.attr}`",
            "It moves or removes active elements in place.",
            "build a new list with append",
        )
        return self._inert(s)

    def _append(self, s: gast.Expr, node: gast.Call) -> Step:
        assert isinstance(node.func, gast.Attribute)
        base, value = node.func.value, node.args[0]
        step = Step(s, [s], always=True)
        shadow = self.expressions.bar_place(base)
        step.forward.append(gast.Expr(expression("s.append(e)", s=shadow, e=self.element_shadow(value))))
        for root in self.program.roots(self.type_of(base)):
            step.undo[root] = statements("v.pop()", v=base)
        step.undo_through = self.through(node.func)
        taken = expression("s.pop()", s=shadow)
        if not self.varied(value) or (self.type_of(value).kind not in SCALARS and not self.is_display(value)):
            step.take.append(gast.Expr(taken))
        elif self._once(value) and not self.is_display(value) and self.type_of(value).kind in SCALARS:
            step.contributions = self.expressions.adjoint(value, Bar(taken))
            if len(step.contributions.found) != 1:
                self._held_entry(step, value, taken)
        else:
            self._held_entry(step, value, taken)
        return step

    def _insert(self, s: gast.Expr, node: gast.Call) -> Step:
        """xs.insert(i, v), and back: pop it from where it went."""
        assert isinstance(node.func, gast.Attribute)
        base, (place, value) = node.func.value, node.args
        step = Step(s, [s], always=True)
        shadow = self.expressions.bar_place(base)
        index = self.expressions.operand(place)
        step.forward.append(gast.Expr(expression("s.insert(i, e)", s=shadow, i=place, e=self.element_shadow(value))))
        for root in self.program.roots(self.type_of(base)):
            step.undo[root] = [gast.Expr(expression("v.pop(inserted_at(i, len(v)))", v=base, i=index))]
        step.undo_reads = reads(place)
        step.undo_through = self.through(node.func)
        where = call("inserted_at", index, expression("len(s)", s=shadow))
        self._held_entry(step, value, expression("s.pop(i)", s=shadow, i=where))
        return step

    def _update(self, s: gast.Expr, node: gast.Call) -> Step:
        """d.update(e): e's numbers receive what d gathers for them; the replaced items' shadows come back."""
        assert isinstance(node.func, gast.Attribute)
        base = node.func.value
        added = self._updates(node)
        step = Step(s, [s], always=True)
        for root in self.program.roots(self.type_of(base)):
            restore = gast.Expr(call("refill", clone(base), kept()))
            text = expression("d.copy()", d=base)
            step.saves.append(Save(frozenset([root]), text, restore, root_of(base).id, self.through(node.func)))
        shadow = self.expressions.bar_place(base)
        held = self.names.fresh("old_bar") if self.hold is None else "held_bar"
        step.forward = [
            assign(held, expression("dict(s)", s=shadow)),
            *step.forward,
            gast.Expr(expression("s.update(new)", s=shadow, new=self.display_shadow(added))),
        ]
        step.defines.add(held)
        step.reads_new.add(held)
        step.contributions = self.container_adjoint(added, shadow)
        pairs = zip(added.keys, added.values)
        keys = [gast.Starred(clone(v), gast.Load()) if k is None else clone(k) for k, v in pairs]
        step.finish.append(gast.Expr(call("put_back", shadow, name(held), gast.Tuple(keys, gast.Load()))))
        return step

    def _updates(self, node: gast.Call) -> gast.Dict:
        """What `update` adds, as a display."""
        keys: list[gast.expr | None] = [constant(k.arg) for k in node.keywords]
        values = [k.value for k in node.keywords]
        if not node.args:
            return gast.Dict(keys, values)
        more = node.args[0]
        if isinstance(more, gast.Dict):
            return gast.Dict([*more.keys, *keys], [*more.values, *values])
        if self.type_of(more).kind != "dict":
            self.refuse(
                node, "cannot reverse `update` of a dict", "Its argument is no dict.", "assign items one by one"
            )
        return gast.Dict([None, *keys], [more, *values])

    def _held_entry(self, step: Step, value: gast.expr, taken: gast.expr) -> None:
        held = self.names.fresh("entry_bar") if self.hold is None else "held_bar"
        step.take.append(assign(held, taken))
        step.contributions = (
            self.container_adjoint(value, name(held))
            if self.is_display(value)
            else (self.expressions.adjoint(value, Bar(name(held))))
        )

    def _popped(self, s: gast.Assign, target: gast.Name, node: gast.Call) -> Step | None:
        """v = L.pop()."""
        if not isinstance(node.func, gast.Attribute) or node.func.attr != "pop":
            return None
        base = self.type_of(node.func.value)
        if base.kind != "list" or not self.shadows.has(base):
            return None
        return self._pop(s, node, target.id)

    def _pop(self, s: Any, node: gast.Call, target: str | None) -> Step:
        assert isinstance(node.func, gast.Attribute)
        base = node.func.value
        shadow = self.expressions.bar_place(base)
        held = target
        step = Step(s, [s], always=True)
        if held is None:
            held = self.names.fresh("popped") if self.hold is None else "popped"
            step.forward = [assign(held, clone(node))]
        step.defines.add(held)
        mirrored = gast.Call(gast.Attribute(shadow, "pop", gast.Load()), [clone(a) for a in node.args], [])
        value = self.after(s, target) if target is not None else self.type_of(node)
        scalar = value.kind in SCALARS
        if scalar:
            step.forward.append(gast.Expr(mirrored))
            step.targets = (target,) if target is not None else ()
            step.target = target
        else:
            bar = self.expressions.bar_of(held, value)
            step.forward.append(assign(bar, mirrored))
            step.defines.add(bar)
            step.reads_new.add(bar)
        place = self._popped_from(node, shadow)
        if scalar:
            step.take.append(_Reinsert(shadow, place, held if target is not None else None))
        else:
            step.take.append(gast.Expr(expression("s.insert(i, e)", s=shadow, i=place, e=bar)))
        position = self._popped_from(node, base)
        step.undo = {
            root: statements("v.insert(i, e)", v=base, i=position, e=held)
            for root in self.program.roots(self.type_of(base))
        }
        step.undo_reads = {held} | reads(position) - reads(base)
        step.undo_through = self.through(node.func)
        return step

    def _popped_from(self, node: gast.Call, owner: gast.expr) -> gast.expr:
        """Where to insert what was popped, into a list that is one shorter now."""
        length = expression("len(v)", v=owner)
        if not node.args:
            return length
        index = literal_int(node.args[0])
        if index is None:
            return call("popped_from", clone(node.args[0]), length)
        return constant(index) if index >= 0 else length if index == -1 else gast.BinOp(length, gast.Sub(), constant(-1 - index))


class _Reinsert(gast.stmt):
    """Puts a popped number's adjoint back: that of the variable, zero where it has none."""

    _fields = ()

    def __init__(self, shadow: gast.expr, place: gast.expr, variable: str | None) -> None:
        self.shadow = shadow
        self.place = place
        self.variable = variable

    def statement(self, bar: gast.expr) -> gast.stmt:
        return gast.Expr(expression("s.insert(i, e)", s=self.shadow, i=self.place, e=bar))
