"""Targets of assignments: unpacking becomes one assignment after the other, computed targets get names.

a, b = f(x), a   →   new_a = f(x)
                     b = a
                     a = new_a
"""

from collections.abc import Set
from typing import Any

import gast

from pullback.compiler.analysis.values import MUTABLE
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, clone, constant, loaded, name, statements
from pullback.compiler.ir.walk import every_node, is_permutation, reads
from pullback.compiler.normalise.context import Part

DISPLAYS = (gast.Tuple, gast.List)


class Targets(Part):
    """The part of the flattener that deals with what is assigned to."""

    def unpacked(self, target: Any, value: gast.expr, out: list[gast.stmt], s: gast.stmt) -> list[gast.stmt]:
        self._bind_once(target)
        once = self.runs_once(value) or self.type_of(value).kind == "opaque" and not self.active(value)
        value = self.flattener.meaning(value)
        if not self.active(value) and not self.flattener.must_move(value) and not self._writes(target):
            return (
                [s]
                if isinstance(s, gast.Assign) and s.value is value
                else [gast.copy_location(assign_to(target, value), s)]
            )
        plain = all(isinstance(e, gast.Name) for e in target.elts)
        if (
            isinstance(value, DISPLAYS)
            and len(value.elts) == len(target.elts)
            and not any(isinstance(e, gast.Starred) for e in [*value.elts, *target.elts])
        ):
            return self._parallel(target, value, out, s, plain)
        if isinstance(value, gast.Call) and self.active_call(value) and plain and self._as_many(value, target):
            new = self.flattener.operands.with_arguments(value, out)
            rebound = set(self.facts.calls[value].callee.code.nonlocals)
            if rebound & {t.id for t in target.elts}:
                return self._results(target, new, s, rebound)
            return [gast.copy_location(assign_to(target, new), s)]
        if plain and self._multiple_results(value) and self._as_many(value, target):
            return self._results(target, self.flattener.operands.with_arguments(value, out), s)
        held = self.flattener.lowered(value, out)
        if once:
            held = gast.Call(name("list"), [held], [])
        if not isinstance(held, gast.Name):
            held_name = self.names.fresh(described(held))
            out.append(gast.copy_location(assign(held_name, held), s))
            held = name(held_name)
        return self.take_apart(target, held, value, s)

    def _bind_once(self, target: Any) -> None:
        """_, _, v = f(x): of a variable that gets several values the last one counts."""
        bound: set[str] = set()
        for place in reversed(_single_targets(target)):
            if isinstance(place, gast.Name) and place.id in bound:
                place.id = self.names.fresh(place.id)
            elif isinstance(place, gast.Name):
                bound.add(place.id)

    def _results(self, target: Any, value: gast.expr, s: gast.stmt, rebound: Set[str] = frozenset()) -> list[gast.stmt]:
        """q, m = np.linalg.qr(m) → q, new_m = np.linalg.qr(m); m = new_m: the adjoint reads what it was made of.

        rebound: variables that the call itself binds anew.
        """
        taken = reads(value) | rebound
        new = {t.id: self.names.fresh(f"new_{t.id}") for t in target.elts if t.id in taken}
        received = gast.Tuple([name(new.get(t.id, t.id), store=True) for t in target.elts], gast.Store())
        done = [assign_to(received, value), *(assign(t, name(n)) for t, n in new.items())]
        return [gast.copy_location(one, s) for one in done]

    def _as_many(self, value: gast.expr, target: Any) -> bool:
        """Does a call return as many results as there are targets, as far as that is known? An array is one."""
        items = self.type_of(value).items
        return not self.type_of(value).numeric and (items is None or len(items) == len(target.elts))

    def _multiple_results(self, value: gast.expr) -> bool:
        if not isinstance(value, gast.Call) or value not in self.facts.resolved:
            return False
        return not self.flattener.write_calls.writes(value) and self.type_of(value).kind == "tuple"

    def _writes(self, target: gast.expr) -> bool:
        return any(isinstance(n, (gast.Subscript, gast.Attribute)) and self.active(n.value) for n in every_node(target))

    def take_apart(self, target: Any, held: gast.Name, value: gast.expr, s: gast.stmt) -> list[gast.stmt]:
        """Each target gets its item: all are taken out first where a target may change what they are taken from."""
        done = self._counted_out(target, held, value, s)
        items = self._items(target, held, value, done)
        if any(not isinstance(e, gast.Name) or e.id == held.id for e in _single_targets(target)[:-1]):
            items = [self._taken_out(item, f"{held.id}_{i}", done) for i, item in enumerate(items)]
        for i, (element, item) in enumerate(zip(target.elts, items)):
            if isinstance(element, DISPLAYS):
                part = item if isinstance(item, gast.Name) else self._taken_out(item, f"{held.id}_{i}", done)
                done += self.take_apart(element, part, item, s)
            elif isinstance(element, gast.Starred):
                done.append(assign_to(element.value, item))
            else:
                done += self.flattener.assignments.do_Assign(gast.copy_location(assign_to(element, item), s), done)
        for new in (n for one in done for n in every_node(one) if isinstance(n, gast.stmt)):
            gast.copy_location(new, s)
        return done

    def _items(self, target: Any, held: gast.Name, value: gast.expr, done: list[gast.stmt]) -> list[gast.expr]:
        """What each target gets, as it is read from what holds it."""
        stars = [i for i, e in enumerate(target.elts) if isinstance(e, gast.Starred)]
        known = self.flattener.results.known_results(value)
        items: list[gast.expr] = []
        for i, element in enumerate(target.elts):
            if isinstance(element, gast.Starred):
                items.append(self._rest(held, i, len(target.elts) - i - 1, known, done))
                continue
            index = i if not stars or i < stars[0] else i - len(target.elts)
            item = gast.Subscript(clone(held), constant(index), gast.Load())
            if known is not None and -len(known) <= index < len(known):
                self.facts.types[item] = known[index]
            items.append(item)
        return items

    def _taken_out(self, item: gast.expr, wish: str, done: list[gast.stmt]) -> gast.Name:
        kept = self.names.fresh(wish)
        done.append(assign(kept, item))
        return self.variable_for(kept, item)

    def _counted_out(self, target: Any, held: gast.Name, value: gast.expr, s: gast.stmt) -> list[gast.stmt]:
        """Python raises where there are not as many elements as targets: a test, unless their number is known."""
        starred = any(isinstance(e, gast.Starred) for e in target.elts)
        least = len(target.elts) - starred
        items, dims = self.flattener.results.known_results(value), self.type_of(value).dims
        count = len(items) if items is not None else dims[0] if dims else None
        if isinstance(count, int) and (count >= least if starred else count == least):
            return []
        return statements(
            f"if len(held) {'<' if starred else '!='} {least}:\n"
            f"    raise ValueError('expected {'at least ' * starred}{least} values to unpack')",
            held=held,
        )

    def _rest(self, held: gast.Name, first: int, behind: int, known: Any, done: list[gast.stmt]) -> gast.expr:
        """What the starred target gets: a list of what the others leave."""
        if known is not None:
            places = range(first, len(known) - behind)
            return gast.List([gast.Subscript(clone(held), constant(i), gast.Load()) for i in places], gast.Load())
        gathered, i = self.names.fresh("rest"), self.names.fresh("i")
        bound = f"len(held) - {behind}" if behind else "len(held)"
        done += statements(
            f"{gathered} = []\nfor {i} in range({first}, {bound}):\n    {gathered}.append(held[{i}])", held=held
        )
        return name(gathered)

    def _parallel(self, target: Any, value: Any, out: list[gast.stmt], s: gast.stmt, plain: bool) -> list[gast.stmt]:
        """a, b = e, f: one after the other where that is the same; a swap of names stays one statement."""
        if plain and is_permutation(target, value):
            return [s]
        held: list[gast.expr] = []
        for i, element in enumerate(value.elts):
            lowered = self.flattener.lowered(element, out)
            if isinstance(target.elts[i], DISPLAYS) and self.runs_once(element):
                lowered = gast.Call(name("list"), [lowered], [])
            if not isinstance(lowered, gast.Constant) and not self._safe_to_delay(target, value, i, lowered):
                kept = self.names.fresh(f"new_{self._wish(target.elts[i])}")
                out.append(gast.copy_location(assign(kept, lowered), s))
                lowered = self.variable_for(kept, element)
            elif isinstance(lowered, gast.Name) and lowered not in self.facts.types:
                lowered = self.variable_for(lowered.id, element)
            held.append(lowered)
        done: list[gast.stmt] = []
        for element, item in zip(target.elts, held):
            done += self.flattener.assignments.do_Assign(gast.copy_location(assign_to(element, item), s), done)
        return done

    def _wish(self, target: gast.expr) -> str:
        return target.id if isinstance(target, gast.Name) else described(target)

    def _safe_to_delay(self, target: Any, value: Any, i: int, lowered: gast.expr) -> bool:
        """Is element i unchanged by the assignments that come before its own?"""
        earlier = target.elts[:i]
        if any(not isinstance(e, gast.Name) for e in earlier):
            return False
        overwritten = {e.id for e in earlier}
        later_calls = any(self.flattener.must_move(e) for e in value.elts[i + 1 :])
        return not later_calls and not any(isinstance(n, gast.Name) and n.id in overwritten for n in every_node(lowered))

    def named_base(self, target: Any, out: list[gast.stmt]) -> gast.expr:
        """m.reshape(-1)[0] = v → flat = m.reshape(-1); flat[0] = v."""
        base = self.flattener.named(target.value, out)
        if isinstance(target, gast.Attribute):
            return gast.Attribute(base, target.attr, gast.Store())
        return gast.Subscript(base, target.slice, gast.Store())

    def settled_target(self, target: Any, out: list[gast.stmt], rebound: Set[str] = frozenset()) -> gast.expr:
        """Parts of a target with calls in them, or that what follows may change, are evaluated first, once.

        rebound: variables that are bound anew before the target is written.
        """
        base = self._settled_base(target.value, out, rebound)
        if isinstance(target, gast.Attribute):
            return gast.Attribute(base, target.attr, gast.Store())
        return gast.Subscript(base, self.settled_index(target.slice, out, rebound), gast.Store())

    def settled_index(self, index: gast.expr, out: list[gast.stmt], rebound: Set[str] = frozenset()) -> gast.expr:
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        kept = [self._settled_part(part, out, rebound) for part in parts]
        return gast.Tuple(kept, gast.Load()) if isinstance(index, gast.Tuple) else kept[0]

    def _settled_base(self, base: gast.expr, out: list[gast.stmt], rebound: Set[str]) -> gast.expr:
        if isinstance(base, gast.Name):
            return self.as_it_was(base, out) if base.id in rebound else base
        if not _calls(base) and not self.changes_meanwhile(base, rebound):
            return self.flattener.lowered(base, out)
        slot = isinstance(base, (gast.Subscript, gast.Attribute))
        if not slot or self._refilled(base.value):
            return self.flattener.named(base, out)  # what is in it now
        new = loaded(self.settled_target(base, out, rebound))
        self.facts.types[new] = self.type_of(base)
        return new

    def _refilled(self, container: gast.expr) -> bool:
        """Does the statement at hand change what a container or object holds?"""
        value = self.type_of(container)
        return value.kind in MUTABLE and bool(self.program.roots(value) & self.flattener.changing)

    def as_it_was(self, variable: gast.Name, out: list[gast.stmt]) -> gast.Name:
        """A variable that is about to be bound anew, under another name."""
        old = self.names.fresh(f"old_{variable.id}")
        out.append(gast.copy_location(assign(old, loaded(variable)), variable))
        return self.variable_for(old, variable)

    def _settled_part(self, part: gast.expr, out: list[gast.stmt], rebound: Set[str]) -> gast.expr:
        """One part of an index under a name, if it holds a call or reads what changes meanwhile; a slice by its bounds."""
        if not _calls(part) and not self.changes_meanwhile(part, rebound):
            return part
        if isinstance(part, gast.Slice):
            bounds = [part.lower, part.upper, part.step]
            return gast.Slice(*(self._settled_part(b, out, rebound) if b is not None else None for b in bounds))
        held = self.names.fresh("index")
        out.append(assign(held, self.flattener.lowered(part, out)))
        return name(held)


    def changes_meanwhile(self, part: gast.AST, rebound: Set[str]) -> bool:
        """Is it computed from variables that are bound anew, or from memory that the statement at hand changes?

        An array of indices is the same array after that.
        """
        if any(isinstance(n, gast.Name) and n.id in rebound for n in every_node(part)):
            return True
        computed = not isinstance(part, (gast.Name, gast.Constant))
        return computed and any(self.flattener.ordering.refers_to(n, self.flattener.changing) for n in every_node(part))


def _single_targets(target: Any) -> list[Any]:
    """The targets in a target, in the order in which they are bound."""
    if isinstance(target, gast.Starred):
        return _single_targets(target.value)
    return [t for e in target.elts for t in _single_targets(e)] if isinstance(target, DISPLAYS) else [target]


def is_length(node: gast.AST) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "len"


def simple_index(target: gast.expr) -> bool:
    """May the target be evaluated twice?"""
    return isinstance(target, gast.Name) or not _calls(target)


def _calls(node: gast.AST) -> bool:
    return any(isinstance(n, (gast.Call, gast.NamedExpr)) and not is_length(n) for n in every_node(node))


def assign_to(target: gast.expr, value: gast.expr) -> gast.Assign:
    return gast.Assign([target], value, None)
