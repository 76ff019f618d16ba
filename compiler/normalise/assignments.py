"""Assignments: what is assigned becomes simple, then what it is assigned to.

a[i] += f(a)   →   old = a[i]
                   f_a = f(a)
                   a[i] = old + f_a
"""

import gast

from pullback.compiler.analysis.values import SCALARS
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, clone, loaded, name, stored
from pullback.compiler.ir.walk import every_node
from pullback.compiler.normalise.context import Context, Part
from pullback.compiler.normalise.settled import rebinding
from pullback.compiler.normalise.targets import assign_to, simple_index


class Assignments(Part):
    """The part of the flattener that deals with assignments of all kinds."""

    def do_Assign(self, s: gast.Assign, out: list[gast.stmt]) -> list[gast.stmt]:
        if len(s.targets) > 1:
            return self._chained(s, out)
        target = s.targets[0]
        if isinstance(target, (gast.Tuple, gast.List)):
            return self.flattener.targets.unpacked(target, s.value, out, s)
        if target in self.facts.meanings:
            return self._set_by_call(target, s.value, out)
        if self.flattener.mutation.writes_list_slice(target) and (self.active(target.value) or self.active(s.value)):
            return self.flattener.mutation.slice_written(target, s.value, out)
        target, value = self.flattener.write_calls.filled(target, s.value, out)
        value = self.flattener.lowered(value, out, top=isinstance(target, gast.Name) and not self.binds_itself(value, target.id))
        if isinstance(target, gast.Name) and value is not s.value and isinstance(value, gast.Name) and value.id == target.id:
            return []  # v = np.exp(v, out=v)
        if not isinstance(target, gast.Name) and not simple_index(target):  # the value is evaluated before
            value = value if isinstance(value, gast.Constant) else self.flattener.named(value, out)
        if not isinstance(target, gast.Name) and not self.is_place(target.value):
            target = self.flattener.targets.named_base(target, out)
        if not isinstance(target, gast.Name) and not simple_index(target):
            target = self.flattener.targets.settled_target(target, out)
        if value is s.value and target is s.targets[0]:
            return [s]
        return [gast.copy_location(assign_to(target, value), s)]

    def _chained(self, s: gast.Assign, out: list[gast.stmt]) -> list[gast.stmt]:
        value = self.flattener.lowered(s.value, out)
        first = next((t for t in s.targets if isinstance(t, gast.Name)), None)
        if not isinstance(value, (gast.Name, gast.Constant)):
            held = first.id if first is not None else self.names.fresh(described(value))
            out.append(gast.copy_location(assign(held, value), s))
            value = name(held)
        self.facts.types.setdefault(value, self.type_of(self.flattener.meaning(s.value)))
        done: list[gast.stmt] = []
        for target in s.targets:
            if isinstance(target, gast.Name) and isinstance(value, gast.Name) and target.id == value.id:
                continue
            done += self.do_Assign(gast.copy_location(gast.Assign([target], _clone_typed(self, value), None), s), done)
        return done

    def _set_by_call(self, target: gast.expr, value: gast.expr, out: list[gast.stmt]) -> list[gast.stmt]:
        """obj.p = v → new = v; setter(obj, new)."""
        setter = self.facts.meanings[target]
        held = setter.args[-1].id
        out += self.flattener.block([gast.copy_location(assign(held, value), value)])
        return self.flattener.block([gast.copy_location(gast.Expr(setter), value)])

    def do_AnnAssign(self, s: gast.AnnAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        if s.value is None:
            return []
        return self.do_Assign(gast.copy_location(gast.Assign([s.target], s.value, None), s), out)

    def do_AugAssign(self, s: gast.AugAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        if s in self.facts.meanings:
            return self.do_Assign(gast.copy_location(assign_to(s.target, self.facts.meanings[s]), s), out)
        if self.type_of(s.target).kind in ("list", "dict") and (self.active(s.target) or self.active(s.value)):
            return self.flattener.mutation.augmented(s, out)
        s.target = self.flattener.write_calls.whole_of(s.target)
        if self.type_of(s.target).kind in ("array", "number"):
            s.value = self.flattener.write_calls.as_array(s.value)
        if not isinstance(s.target, gast.Name) and self.flattener.must_move(s.value):
            return self._read_first(s, out)
        if isinstance(s.target, gast.Name) and s.target.id in self.flattener.operands.rebound_by([s.value]):
            held = self.flattener.targets.as_it_was(s.target, out)
            added = gast.AugAssign(stored(held), s.op, self.flattener.lowered(s.value, out))
            return [gast.copy_location(new, s) for new in (added, assign(s.target.id, held))]
        value = self.flattener.lowered(s.value, out)
        target = s.target
        if not isinstance(target, gast.Name) and not self.is_place(target.value):
            target = self.flattener.targets.named_base(target, out)
        if not simple_index(target):
            target = self.flattener.targets.settled_target(target, out)
        if isinstance(target, gast.Name) and self.facts.rebinds.get(s):
            return [rebinding(gast.copy_location(gast.AugAssign(target, s.op, value), s))]
        if value is not s.value or target is not s.target:
            s = gast.copy_location(gast.AugAssign(target, s.op, value), s)
        s.in_place = True  # and not to be judged again by types that are better known
        return [s]

    def _read_first(self, s: gast.AugAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        """a[i] += f(a) → old = a[i]; f_a = f(a); a[i] = old + f_a: Python reads a[i] before it calls f."""
        target = self.flattener.targets.named_base(s.target, out) if not self.is_place(s.target.value) else s.target
        rebound = self.flattener.operands.rebound_by([s.value])
        if not simple_index(target) or self.flattener.targets.changes_meanwhile(target, rebound):
            target = self.flattener.targets.settled_target(target, out, rebound)
        held = self.names.fresh(f"old_{described(target)}")
        out.append(gast.copy_location(assign(held, loaded(target)), s))
        value = self.flattener.lowered(s.value, out)
        if self.type_of(s.target.value).numeric or self.type_of(s.target).kind in SCALARS:
            return [gast.copy_location(assign_to(target, gast.BinOp(name(held), s.op, value)), s)]
        inside = gast.AugAssign(name(held, store=True), s.op, value)  # an array in a container is written in place
        return [gast.copy_location(new, s) for new in (inside, assign_to(target, name(held)))]


def _clone_typed(context: Context, node: gast.expr) -> gast.expr:
    """A copy that keeps the original's facts."""
    new = clone(node)
    for a, b in zip(every_node(node), every_node(new)):
        if a in context.facts.types:
            context.facts.types[b] = context.facts.types[a]
    return new
