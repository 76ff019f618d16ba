"""Steps of the methods that change lists and dicts: append, insert, pop, update, and how they are undone."""

from typing import Any

import gast

from pullback.compiler.adjoint.bars import Bar
from pullback.compiler.adjoint.context import Part
from pullback.compiler.adjoint.steps import Save, Step, kept
from pullback.compiler.analysis.values import SCALARS
from pullback.compiler.ir.template import assign, call, clone, constant, expression, name, statements
from pullback.compiler.ir.walk import every_node, literal_int, reads, root_of


class ContainerMethods(Part):
    """The part of the planner that deals with methods of containers."""

    def method_call(self, s: gast.Expr, node: gast.Call) -> Step | None:
        """The step of a call of a method that changes its container; None of any other."""
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
        return self.planner.inert.step(s)

    def _append(self, s: gast.Expr, node: gast.Call) -> Step:
        assert isinstance(node.func, gast.Attribute)
        base, value = node.func.value, node.args[0]
        step = Step(s, [s], always=True)
        shadow = self.expressions.bar_place(base)
        step.forward.append(gast.Expr(expression("s.append(e)", s=shadow, e=self._entered(base, value))))
        for root in self.program.roots(self.type_of(base)):
            step.undo[root] = statements("v.pop()", v=base)
        step.undo_through = self.planner.containers.through(node.func)
        self._taken_out(step, base, value, expression("s.pop()", s=shadow))
        return step

    def _entered(self, base: gast.expr, value: gast.expr) -> gast.expr:
        return self.planner.containers.element_shadow(value, self.planner.containers.is_loose(self.type_of(base)))

    def _taken_out(self, step: Step, base: gast.expr, value: gast.expr, taken: gast.expr) -> None:
        """What an element gathered goes to what it was made of; the shadow of an object is its own."""
        number = self.planner.containers.gathers(self.type_of(value))
        if not self.varied(value) or not number and not self.planner.containers.is_display(value):
            step.take.append(gast.Expr(taken))
            return
        taken = self.planner.containers.as_number(taken, self.type_of(base)) if number else taken
        # In `xs_bar[-1] += xs_bar.pop()` Python would look up the place before it takes the element out.
        if number and self.has_one_leaf(value) and not self._meets(value, base):
            step.contributions = self.expressions.adjoint(value, Bar(taken))
        if len(step.contributions.found) != 1:
            self._held_entry(step, value, taken)

    def _meets(self, value: gast.expr, base: gast.expr) -> bool:
        """May the value read elements of the container?"""
        roots = self.program.roots(self.type_of(base))
        return any(self.program.roots_inside(self.type_of(n)) & roots for n in every_node(value) if isinstance(n, gast.expr))

    def _insert(self, s: gast.Expr, node: gast.Call) -> Step:
        """xs.insert(i, v), and back: pop it from where it went."""
        assert isinstance(node.func, gast.Attribute)
        base, (place, value) = node.func.value, node.args
        step = Step(s, [s], always=True)
        shadow = self.expressions.bar_place(base)
        index = self.expressions.operand(place)
        step.forward.append(gast.Expr(expression("s.insert(i, e)", s=shadow, i=place, e=self._entered(base, value))))
        for root in self.program.roots(self.type_of(base)):
            step.undo[root] = [gast.Expr(expression("v.pop(inserted_at(i, len(v)))", v=base, i=index))]
        step.undo_reads = reads(place)
        step.undo_through = self.planner.containers.through(node.func)
        where = call("inserted_at", index, expression("len(s)", s=shadow))
        self._taken_out(step, base, value, expression("s.pop(i)", s=shadow, i=where))
        return step

    def _update(self, s: gast.Expr, node: gast.Call) -> Step:
        """d.update(e): e's numbers receive what d gathers for them; the replaced items' shadows come back."""
        assert isinstance(node.func, gast.Attribute)
        base = node.func.value
        added = self._updates(node)
        self.facts.types[added] = self.type_of(base)  # whose shadows its items get
        step = Step(s, [s], always=True)
        for root in self.program.roots(self.type_of(base)):
            restore = gast.Expr(call("refill", clone(base), kept()))
            text = expression("d.copy()", d=base)
            through = self.planner.containers.through(node.func)
            step.saves.append(Save(frozenset([root]), text, restore, root_of(base).id, through))
        shadow = self.expressions.bar_place(base)
        held = self.names.fresh("old_bar") if self.hold is None else "held_bar"
        step.forward = [
            assign(held, expression("dict(s)", s=shadow)),
            *step.forward,
            gast.Expr(expression("s.update(new)", s=shadow, new=self.planner.containers.display_shadow(added))),
        ]
        step.defines.add(held)
        step.reads_new.add(held)
        pairs = zip(added.keys, added.values)
        keys = [gast.Starred(clone(v), gast.Load()) if k is None else clone(k) for k, v in pairs]
        replaced = gast.Expr(call("put_back", shadow, name(held), gast.Tuple(keys, gast.Load())))
        if not self._reads(added, base):
            step.contributions = self.planner.containers.adjoint(added, shadow)
            step.finish.append(replaced)
            return step
        new = self.names.fresh("new_bar") if self.hold is None else "held_bar"
        step.take += [assign(new, expression("dict(s)", s=shadow)), replaced]  # the old items gather for the new ones
        step.contributions = self.planner.containers.adjoint(added, name(new))
        return step

    def _reads(self, added: gast.Dict, base: gast.expr) -> bool:
        """Is something in a new item read from the dict itself?"""
        roots = self.program.reached(self.type_of(base))
        inner = (n for v in added.values for n in every_node(v) if isinstance(n, gast.expr))
        return any(self.program.roots_inside(self.type_of(n)) & roots for n in inner)

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
            self.planner.containers.adjoint(value, name(held))
            if self.planner.containers.is_display(value)
            else (self.expressions.adjoint(value, Bar(name(held))))
        )

    def popped(self, s: gast.Assign, target: gast.Name, node: gast.Call) -> Step | None:
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
            zero: gast.expr = constant(0.0)
            if value.perhaps_complex:
                zero = call("zeros", name(held))
                step.reads_new.add(held)
            step.take.append(_Reinsert(shadow, place, held if target is not None else None, zero))
        else:
            step.take.append(gast.Expr(expression("s.insert(i, e)", s=shadow, i=place, e=bar)))
        position = self._popped_from(node, base)
        step.undo = {
            root: statements("v.insert(i, e)", v=base, i=position, e=held)
            for root in self.program.roots(self.type_of(base))
        }
        step.undo_reads = {held} | reads(position) - reads(base)
        step.undo_through = self.planner.containers.through(node.func)
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

    def __init__(self, shadow: gast.expr, place: gast.expr, variable: str | None, zero: gast.expr) -> None:
        self.shadow = shadow
        self.place = place
        self.variable = variable
        self.zero = zero

    def statement(self, bar: gast.expr) -> gast.stmt:
        return gast.Expr(expression("s.insert(i, e)", s=self.shadow, i=self.place, e=bar))
