"""Slices, sums, repetitions and displays of active lists and tuples, as their elements.

xs[1:]      →   [xs[i] for i in range(1, len(xs))]
xs + ys     →   [v for part in (xs, ys) for v in part]
[x, *ys]    →   [x, ys[0], ys[1]], where ys has two elements
"""

from typing import Any

import gast

from pullback.compiler.analysis.meaning import comprehended, item_of
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import constant, expression, name


class Sequences(Part):
    """Sequences that are made of others."""

    def meaning_of_slice(self, base: Value, items: Any, known: Any, node: gast.Subscript, env: Env) -> Value:
        """A slice of a list or tuple with active elements: a new one, of the elements."""

        def build() -> gast.expr:
            if items is not None and known is not None:
                places = range(len(items))[known]
                display = gast.Tuple if base.kind == "tuple" else gast.List
                return self.let([node.value], lambda t: display([item_of(t, i) for i in places], gast.Load()))
            return self.let([node.value], lambda t: self._sliced(t, node.slice))

        return self.meant(node, build, env, base.kind, self.count(base), repr(known))

    def _sliced(self, t: str, part: gast.Slice) -> gast.expr:
        low, high, step = part.lower, part.upper, part.step
        if low is None and high is None and step is None:
            return comprehended(lambda v: name(v), self.fresh("v"), name(t))
        if isinstance(low, gast.Constant) and isinstance(low.value, int) and low.value >= 0 and not (high or step):
            over = expression(f"range({low.value}, len({t}))")
        else:
            bounds = [constant(None) if p is None else p for p in (low, high, step)]
            indices = gast.Call(
                gast.Attribute(gast.Call(name("slice"), bounds, []), "indices", gast.Load()),
                [expression(f"len({t})")],
                [],
            )
            over = gast.Call(name("range"), [gast.Starred(indices, gast.Load())], [])
        return comprehended(lambda i: item_of(t, name(i)), self.fresh("i"), over)

    def meaning_of_sequence(self, op: gast.operator, left: Value, right: Value, node: Any, env: Env) -> Value | None:
        """xs + ys, xs * n: a new list or tuple of the elements."""
        stands = {left.kind, right.kind} == {"list", "tuple"} and None in (self.count(left), self.count(right))
        if isinstance(op, gast.Add) and (left.kind == right.kind or stands):  # a list stands for a tuple of unknown length
            a, b = self.known_items(left), self.known_items(right)
            if a is None or b is None:
                sides = ((node.left, left), (node.right, right))
                parts = [gast.Call(name("list"), [e], []) if stands and v.kind == "tuple" else e for e, v in sides]
                return self.meant(node, lambda: self._joined_lists(parts), env, stands)
            counts = ((0, len(a)), (1, len(b)))
            display = gast.Tuple if left.kind == "tuple" else gast.List

            def both(*held: str) -> gast.expr:
                return display([item_of(held[k], i) for k, n in counts for i in range(n)], gast.Load())

            return self.meant(node, lambda: self.let([node.left, node.right], both), env, left.kind, len(a), len(b))
        if isinstance(op, gast.Mult):
            first = left.kind in ("list", "tuple")
            sequence, count = (left, right) if first else (right, left)
            return self._repeated(
                sequence, count, (node.left, node.right) if first else (node.right, node.left), node, env
            )
        return None

    def _repeated(self, sequence: Value, count: Value, nodes: Any, node: Any, env: Env) -> Value:
        items = self.known_items(sequence)
        times = count.known.value if count.known is not None else None
        display = gast.Tuple if sequence.kind == "tuple" else gast.List

        def build() -> gast.expr:
            if items is not None and isinstance(times, int) and len(items) * times <= 32:
                places = [i for _ in range(times) for i in range(len(items))]
                return self.let(nodes[:1], lambda t: display([item_of(t, i) for i in places], gast.Load()))
            return self.let(nodes, self._repetition)

        return self.meant(node, build, env, sequence.kind, self.count(sequence), times)

    def _repetition(self, t: str, count: str) -> gast.expr:
        v, again = self.fresh("v"), self.fresh("again")
        outer = gast.comprehension(name(again, store=True), expression(f"range({count})"), [], False)
        return gast.ListComp(name(v), [outer, gast.comprehension(name(v, store=True), name(t), [], False)])

    def _joined_lists(self, parts: list[gast.expr]) -> gast.expr:
        """[*a, *b] → [v for part in (a, b) for v in part]."""
        v, part = self.fresh("v"), self.fresh("part")
        outer = gast.comprehension(name(part, store=True), gast.Tuple(parts, gast.Load()), [], False)
        return gast.ListComp(name(v), [outer, gast.comprehension(name(v, store=True), name(part), [], False)])

    def meaning_of_display(self, node: Any, env: Env) -> Value | None:
        """[x, *ys]: its elements one by one, or, of a length that is not known, a list of lists run through."""
        starred = [e for e in node.elts if isinstance(e, gast.Starred)]
        inner = {e: self.interpreter.expressions.of_Starred(e, env) for e in starred}
        if not starred:
            return None
        counts = {e: self.known_items(v) for e, v in inner.items()}
        counted = all(c is not None for c in counts.values())
        others = [self.value(e, env) for e in node.elts if e not in inner]
        if not any(self.varied(v) for v in (*inner.values(), *others)) and not self.made_active(node, "list"):
            return None
        if counted:
            lengths = tuple(len(c) for c in counts.values() if c is not None)
            return self.meant(node, lambda: self._spread_out(node, counts), env, lengths)
        listed = {e: gast.Call(name("list"), [e.value], []) for e, v in inner.items() if v.numeric or not self.varied(v)}
        parts = [listed.get(e, e.value) if e in inner else gast.List([e], gast.Load()) for e in node.elts]
        return self.meant(node, lambda: self._joined_lists(parts), env, len(listed))

    def _spread_out(self, node: Any, counts: dict[Any, Any]) -> gast.expr:
        bindings: list[gast.NamedExpr] = []
        elements: list[gast.expr] = []
        for e in node.elts:
            starred = isinstance(e, gast.Starred)
            if isinstance(e, gast.Constant):
                elements.append(e)
                continue
            held = self.fresh("held")
            bindings.append(gast.NamedExpr(name(held, store=True), e.value if starred else e))
            elements += [item_of(held, i) for i in range(len(counts[e]))] if starred else [name(held)]
        return Let(bindings, type(node)(elements, gast.Load()))
