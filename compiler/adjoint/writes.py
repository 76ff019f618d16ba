"""Steps of writes into memory: `u[i] = e`, `u[i] += e`, `u *= e`."""

import functools
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Bar
from pullback.compiler.adjoint.context import Part
from pullback.compiler.adjoint.operands import index_value, is_variable
from pullback.compiler.adjoint.steps import Later, Save, Step, kept
from pullback.compiler.analysis.expressions import INERT_ATTRIBUTES
from pullback.compiler.analysis.infer import Interpreter
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value, attribute_site, covers
from pullback.compiler.ir.template import assign, call, clone, constant, expression, loaded, name, stored
from pullback.compiler.ir.walk import every_node, root_of


class Writes(Part):
    """The part of the planner that deals with content of arrays that changes."""

    def augmented(self, s: gast.AugAssign) -> Step:
        value = self.type_of(s.target)
        if isinstance(s.target, gast.Name) and value.kind not in ("array", "number"):
            if self.varied(s.target) or self.varied(s.value):
                self.refuse(s, "cannot follow this write", "What is written to is no array.", "")
            return self.planner.inert.step(s)
        return self.write(s, s.target, s.value, s.op)

    def write(self, s: gast.stmt, target: Any, value: gast.expr, op: gast.operator | None) -> Step:
        """`u[i] = e`, `u[i] += e`, `u *= e`: content of memory changes."""
        base = target if isinstance(target, gast.Name) else target.value
        base_type = self.type_of(base)
        if isinstance(target, gast.Subscript) and self.hold is not None:
            self._hold_index(target)
        place = loaded(target)
        self.copy_types(target, place)
        if base_type.kind in CONTAINERS:
            return self.planner.containers.write(s, target, place, value, op)
        if base_type.kind == "opaque" and not self.varied(value):
            return self.planner.inert.step(s)
        step = Step(s, [s])
        self._keep_content(step, place, target, base_type)
        if not self.shadows.has(base_type) or not self.lies_mirrored(base):
            if self.varied(value) and base_type.smooth:
                self.refuse(s, "cannot follow this write", "The array written to has no adjoint.", "")
            return step
        step.always = True
        part = self.expressions.bar_place(place)
        if isinstance(op, (gast.Add, gast.Sub)):
            self._accumulating(step, place, part, value, op)
        else:
            self._overwriting(step, place, part, value, op, s)
        return step

    def _hold_index(self, target: gast.Subscript) -> None:
        """What is written where must be known in reverse: indices that are computed get names."""
        parts = target.slice.elts if isinstance(target.slice, gast.Tuple) else [target.slice]
        for part in parts:
            for bound in [part.lower, part.upper, part.step] if isinstance(part, gast.Slice) else [part]:
                if bound is not None and not self.expressions.cheap(bound):
                    self.hold(bound)  # type: ignore[misc]

    def part_type(self, place: gast.expr) -> Value:
        """The type of what a place holds (a written target is typed by what is written)."""
        if isinstance(place, gast.Subscript) or self.type_of(getattr(place, "value", place)).kind == "object":
            env = self.facts.before.get(self.planner.statement, {})
            self._interpreter.statement = self.planner.statement
            return self._interpreter.value(place, env)
        return self.type_of(place)

    @functools.cached_property
    def _interpreter(self) -> Interpreter:
        return Interpreter(self.program, self.spec)

    def _keep_content(self, step: Step, place: gast.expr, target: Any, base: Value) -> None:
        self.planner.statement = step.statement
        value = self.part_type(place)
        roots = self.program.roots(base)
        if base.kind == "known" and isinstance(place, gast.Attribute):  # of a class or module
            text = expression("getattr(o, f, None)", o=place.value, f=constant(place.attr))
            restore: gast.stmt = gast.Assign([stored(place)], kept(), None)
            step.saves.append(Save(frozenset([attribute_site(place.attr)]), text, restore, root_of(place).id))
        if not roots:
            return
        scalar = value.kind in SCALARS
        copied = isinstance(place, gast.Subscript) and self.planner.views.copies(place)
        inert = isinstance(place, gast.Attribute) and place.attr in INERT_ATTRIBUTES  # a.shape = (2, 3)
        text = clone(place) if scalar or copied or inert else expression("v.copy()", v=place)
        if isinstance(target, gast.Name):
            restore = gast.Assign(
                [gast.Subscript(name(target.id), constant(Ellipsis), gast.Store())], kept(), None
            )
        else:
            restore = gast.Assign([stored(place)], kept(), None)
        root = root_of(place)
        step.saves.append(Save(roots, text, restore, root.id, self.planner.containers.through(place)))

    def _accumulating(self, step: Step, place: gast.expr, part: gast.expr, value: gast.expr, op: gast.operator) -> None:
        """u[i] += e: the adjoint of u[i] stays, and e receives it."""
        if not self.varied(value):
            return
        whole = self.part_type(place)
        sign = (lambda t: t) if isinstance(op, gast.Add) else (lambda t: gast.UnaryOp(gast.USub(), t))
        if self.has_one_leaf(value) and (whole.kind in SCALARS or self._leaf(value)):
            bar = self._narrowed(Bar(self._read_part(place, part)), whole, value)
            step.contributions = self.expressions.adjoint(value, Bar(sign(bar.text), fresh=isinstance(op, gast.Sub)))
            self._unshare(step, whole)
            return
        held = self._hold_part(step, place, self._read_part(place, part), whole)
        step.contributions = self.expressions.adjoint(value, Bar(sign(self._narrowed(Bar(held), whole, value).text)))

    def _unshare(self, step: Step, whole: Value) -> None:
        """A view of a shadow becomes a variable's adjoint only as a copy."""
        for c in step.contributions.found:
            value = self.type_of_place(c.place)
            view = isinstance(c.text, (gast.Subscript, gast.Name)) or (
                isinstance(c.text, gast.Call) and isinstance(c.text.func, gast.Name) and c.text.func.id == "unbroadcast"
            )
            if not view or not isinstance(c.place, gast.Name) or self.shadows.has(value):
                continue
            if value.kind not in SCALARS:
                c.text, c.fresh = expression("v.copy()", v=c.text), True
            elif whole.kind not in SCALARS:  # of no dimension
                c.text = gast.UnaryOp(gast.UAdd(), c.text)

    def _leaf(self, value: gast.expr) -> bool:
        return is_variable(value) or self.expressions.is_part(value)

    def _read_part(self, place: gast.expr, part: gast.expr) -> gast.expr:
        """The adjoint of what was written; with repeated indices only the last write counts."""
        if isinstance(place, gast.Subscript) and not self.expressions.named_once(place):
            base = self.expressions.bar_place(place.value)
            return call("last_written", base, index_value(place.slice))
        return clone(part)

    def _hold_part(self, step: Step, place: gast.expr, text: gast.expr, whole: Value) -> gast.expr:
        held = (
            self.names.fresh("entry_bar" if whole.kind in SCALARS else "part_bar") if self.hold is None else "held_bar"
        )
        view = whole.kind not in SCALARS and isinstance(text, (gast.Subscript, gast.Name))
        copied = expression("v[()]" if whole.shape == () else "v.copy()", v=text) if view else text
        step.take.append(assign(held, copied))
        return name(held)

    def _narrowed(self, bar: Bar, whole: Value, value: gast.expr) -> Bar:
        """The written value may have been broadcast into place."""
        bar = self._converted(bar, whole, value)
        have, want = whole.shape, self.type_of(value).shape
        if covers(want, have) or whole.kind in SCALARS:
            return bar
        if want == ():
            return Bar(call("np.sum", bar.text))
        return Bar(call("unbroadcast", bar.text, self.expressions.shape(value)))

    def _converted(self, bar: Bar, whole: Value, value: gast.expr) -> Bar:
        """Of what a real number in a complex place receives, its real part; a complex one receives complex numbers."""
        own = self.type_of(value)
        into, of = whole.is_complex, own.is_complex
        if into and not of and own.numeric and own.dtype + own.kind != "number":
            return Bar(call("np.real", bar.text))
        return Bar(gast.BinOp(bar.text, gast.Add(), constant(0j))) if of and not into else bar

    def _overwriting(
        self,
        step: Step,
        place: gast.expr,
        part: gast.expr,
        value: gast.expr,
        op: gast.operator | None,
        s: gast.stmt,
    ) -> None:
        """u[i] = e: e receives the adjoint of u[i], whose old content had no effect."""
        whole = self.part_type(place)
        zero = gast.Assign([self._whole(stored(part))], constant(0.0), None)
        if op is not None:
            node = gast.BinOp(place, op, value)
            gast.copy_location(node, s)
            self.facts.types[node] = whole.active()
            self.facts.types[place] = whole.active()
            value_node: gast.expr = node
        else:
            value_node = value
        if not self.varied(value_node):
            step.take.append(zero)
            return
        inline = whole.kind in SCALARS and op is None and self.has_one_leaf(value) and self.plain_names(value)
        if inline:
            step.contributions = self.expressions.adjoint(value, self._converted(Bar(clone(part)), whole, value))
            if len(step.contributions.found) == 1 and isinstance(step.contributions.found[0].place, gast.Name):
                step.finish.append(zero)
                return
        held = self._hold_part(step, place, self._read_part(place, part), whole)
        bar = Bar(held) if op is not None else self._narrowed(Bar(held), whole, value)
        if op is None and not isinstance(bar.text, gast.Name) and self.expressions.leaf_count(value) > 1:
            again = self.names.fresh("value_bar") if self.hold is None else "held_bar"
            step.take.append(assign(again, bar.text))
            bar = Bar(name(again))
        step.contributions = self.expressions.adjoint(value_node, bar)
        same = [c for c in step.contributions.found if gast.dump(c.place) == gast.dump(place)]
        if len(same) == 1 and not step.contributions.loops and self._writes_once(step, place):
            step.contributions.found.remove(same[0])
            if gast.dump(same[0].text) != gast.dump(held):  # else it stays as it is
                step.take.append(Later([assign(self._whole(part), same[0].text)]))
        else:
            step.take.append(zero)

    def _writes_once(self, step: Step, place: gast.expr) -> bool:
        return not isinstance(place, gast.Subscript) or self.expressions.named_once(place)

    def _whole(self, part: gast.expr) -> gast.expr:
        """A name is written through `[...]`."""
        if isinstance(part, gast.Name):
            return gast.Subscript(name(part.id), constant(Ellipsis), gast.Store())
        return part

    def plain_names(self, value: gast.expr) -> bool:
        """Does the value's one active variable have a value adjoint (no shadow that could be the same memory)?"""
        return all(
            not self.shadows.has(self.type_of(n))
            for n in every_node(value)
            if isinstance(n, gast.Name) and self.varied(n)
        )
