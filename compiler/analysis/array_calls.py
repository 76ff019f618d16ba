"""Functions of NumPy that are given functions, or lists of lists, in plainer ones.

np.hypot.outer(a, b)               →   outer_of(np.hypot, a, b), a function of frontend/array_texts.py
np.vectorize(f)                    →   lambda a: entry_by_entry(f, False, a)
np.apply_along_axis(f, 0, m)       →   row_by_row(f, 0, m)
np.block([[a, b], [c, d]])         →   np.vstack((np.hstack((a, b)), np.hstack((c, d))))
for v in np.nditer(u):             →   for v in np.ravel(u, "K"):
np.gradient(f, dx), active in dx   →   sloped(f, dx, 0)
np.cov(a, b)                       →   np.cov(np.vstack((a, b)))
np.interp(x, xp, fp, left=a)       →   interpolated(x, xp, fp, left=a)
np.broadcast_arrays(a, b)          →   (np.broadcast_to(a, shape), np.broadcast_to(b, shape))
"""

from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.meaning import plain_parameters
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import Value
from pullback.compiler.frontend import array_texts
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import call, constant, expression, name
from pullback.compiler.rules.language import rule_of

METHODS = {
    "outer": array_texts.outer_of,
    "reduce": array_texts.reduced_along,
    "accumulate": array_texts.accumulated_along,
    "reduceat": array_texts.reduced_at,
}
BY_ENTRIES = {1: array_texts.entry_by_entry, 2: array_texts.two_by_two, 3: array_texts.three_by_three}
BY_ROWS = {1: array_texts.whole, 2: array_texts.row_by_row, 3: array_texts.plane_by_plane}


class ArrayCalls(Part):
    """What such calls mean."""

    def meaning_of_call(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        if any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            return None
        if thing is np.vectorize:
            return self._vectorized(node, env)
        if isinstance(thing, np.vectorize):
            return self._vectorized_before(thing, node, env)
        if thing is np.apply_along_axis:
            return self._along_axis(node, env)
        if thing is np.block and len(node.args) == 1:
            return self._joined(node, env)
        if thing is np.gradient:
            return self._sloped(node, env)
        if thing is np.where and len(node.args) == 1 and not isinstance(node.args[0], gast.Starred):
            return self.meant(node, lambda: gast.Call(self.given(np.nonzero), list(node.args), node.keywords), env)
        if thing is np.nditer:
            return self._entries(node, env)
        if thing is np.broadcast_arrays:
            return self._broadcast(node, env)
        if thing is np.cov or thing is np.corrcoef:
            return self._of_two(node, env)
        if thing is np.interp and any(k.arg in ("left", "right") for k in node.keywords):
            return self._interpolated(node, env)
        return self._ufunc_method(thing, node, env)

    # -- methods of ufuncs --------------------------------------------------------------------

    def _ufunc_method(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        ufunc, word = getattr(thing, "__self__", None), getattr(thing, "__name__", "")
        if not isinstance(ufunc, np.ufunc) or word not in METHODS or rule_of(thing) is not None:
            return None
        positional, keywords = self.arguments(node, env)
        axis = positional[2 if word == "reduceat" else 1 :] if word != "outer" else []
        plain = keywords.keys() <= {"axis"} and all(v.kind == "int" for v in [*axis, *keywords.values()])
        if not plain or rule_of(ufunc) is None or not any(self.varied(v) for v in positional):
            return None
        text, first = METHODS[word], [self.given(ufunc)]
        if word == "reduce" and ufunc.identity is not None:
            text, first = array_texts.reduced_from, [*first, constant(float(ufunc.identity))]
        called = gast.Call(self.given(text), [*first, *node.args], node.keywords)
        return self.meant(node, lambda: called, env)

    # -- functions applied entry by entry, or row by row ----------------------------------------

    def _vectorized(self, node: gast.Call, env: Env) -> Value | None:
        """np.vectorize(f): a function of as many arguments as f."""
        positional, keywords = self.arguments(node, env)
        code = self.interpreter.functions.function_of(node.args[0], env) if len(node.args) == 1 else None
        names = plain_parameters(code) if code is not None else []
        if len(names) not in BY_ENTRIES or not keywords.keys() <= {"otypes", "doc"}:
            return None
        settled = any(k.arg == "otypes" and _is_float(k.value) for k in node.keywords)
        if "otypes" in keywords and not settled:
            return None

        def build(held: str) -> gast.expr:
            given = [self.fresh(n) for n in names]
            parameters = [gast.Name(n, gast.Param(), None, None) for n in given]
            text = self.given(BY_ENTRIES[len(names)])
            called = gast.Call(text, [name(held), constant(settled), *map(name, given)], [])
            return gast.Lambda(gast.arguments(parameters, [], None, [], [], None, []), called)

        return self.meant(node, lambda: self.let(node.args, build, "function", anew=True), env, len(names), settled)

    def _vectorized_before(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """A call of what np.vectorize made outside."""
        positional, _ = self.arguments(node, env)
        otypes = getattr(thing, "otypes", None)
        plain = not thing.excluded and thing.signature is None and otypes in (None, "d") and not node.keywords
        if not plain or len(positional) not in BY_ENTRIES or not any(self.varied(v) for v in positional):
            return None
        first = [self.given(thing.pyfunc), constant(otypes == "d")]
        return self.meant(node, lambda: gast.Call(self.given(BY_ENTRIES[len(positional)]), [*first, *node.args], []), env)

    def _along_axis(self, node: gast.Call, env: Env) -> Value | None:
        positional, keywords = self.arguments(node, env)
        rank = positional[2].rank if len(positional) > 2 and positional[2].kind == "array" else None
        if rank not in BY_ROWS or keywords or not any(self.varied(v) for v in positional):
            return None
        function, axis, array, *others = node.args

        def build(*held: str) -> gast.expr:
            applied = function
            if others:
                row = self.fresh("row")
                called = gast.Call(name(held[0]), [name(r) for r in (row, *held[1:])], [])
                applied = gast.Lambda(gast.arguments([gast.Name(row, gast.Param(), None, None)], [], None, [], [], None, []), called)
            given = [applied, array] if rank == 1 else [applied, axis, array]
            return gast.Call(self.given(BY_ROWS[rank]), given, [])

        return self.meant(node, lambda: self.let([function, *others] if others else [], build, "given"), env, rank)

    # -- arrays -------------------------------------------------------------------------------

    def _sloped(self, node: gast.Call, env: Env) -> Value | None:
        """np.gradient(f, dx, dy), by what is spaced: (sloped(f, dx, 0), sloped(f, dy, 1))."""
        (whole, *steps), keywords = self.arguments(node, env)
        if not any(self.varied(s) for s in steps) or not whole.rank or not keywords.keys() <= {"axis", "edge_order"}:
            return None
        axis = keywords["axis"].known.value if "axis" in keywords and keywords["axis"].known else None
        axes = (axis,) if isinstance(axis, int) else tuple(range(whole.rank))
        if "axis" in keywords and not isinstance(axis, int) or len(steps) not in (1, len(axes)):
            return None
        options = [k for k in node.keywords if k.arg == "edge_order"]

        def build(f: str, *spacing: str) -> gast.expr:
            pairs = zip(axes, spacing * len(axes) if len(spacing) == 1 else spacing)
            along = [gast.Call(self.given(array_texts.sloped), [name(f), name(s), constant(a)], options) for a, s in pairs]
            return along[0] if len(along) == 1 else gast.Tuple(along, gast.Load())

        return self.meant(node, lambda: self.let(node.args, build, "given"), env, axes, len(steps))

    def _joined(self, node: gast.Call, env: Env) -> Value | None:
        """np.block of a row of vectors, or of rows of matrices."""
        positional, _ = self.arguments(node, env)
        rows = node.args[0]
        if not isinstance(rows, gast.List) or not rows.elts or not self.varied(positional[0]):
            return None
        if not all(isinstance(row, gast.List) for row in rows.elts):
            ranks = {self.facts.types[e].rank for e in rows.elts}
            if not ranks <= {0, 1} and ranks != {2}:
                return None
            return self.meant(node, lambda: gast.Call(expression("np.hstack"), [_tuple(rows.elts)], []), env)
        entries = [e for row in rows.elts for e in row.elts]  # type: ignore[attr-defined]
        if not all(self.facts.types[e].rank in (0, 1, 2) for e in entries):
            return None

        def build() -> gast.expr:
            made = []
            for row in rows.elts:
                parts = [gast.Call(expression("np.atleast_2d"), [e], []) for e in row.elts]  # type: ignore[attr-defined]
                made.append(gast.Call(expression("np.hstack"), [_tuple(parts)], []))
            return gast.Call(expression("np.vstack"), [_tuple(made)], [])

        return self.meant(node, build, env)

    def _of_two(self, node: gast.Call, env: Env) -> Value | None:
        """np.cov(a, b) → np.cov(np.vstack((a, b))); np.cov(a, None, False) → np.cov(a, rowvar=False)."""
        positional, keywords = self.arguments(node, env)
        if not positional or not any(map(self.varied, [*positional, *keywords.values()])):
            return None
        named = [*map(gast.keyword, ("y", "rowvar", "bias", "ddof"), node.args[1:]), *node.keywords]
        rest = [k for k in named if k.arg != "y"]
        other = [k.value for k in named if k.arg == "y" and self.facts.types[k.value].kind != "none"]
        if not other:
            same = len(rest) == len(named) == len(node.keywords)
            return None if same else self.meant(node, lambda: gast.Call(node.func, node.args[:1], rest), env, "alone")
        join = self._joining_variables([positional[0], self.facts.types[other[0]]], rest)
        if join is None:
            return None
        return self.meant(node, lambda: gast.Call(node.func, [call(join, _tuple([node.args[0], *other]))], rest), env, join)

    def _joining_variables(self, sets: list[Value], options: list[gast.keyword]) -> str | None:
        """What puts the variables of two sets into one matrix: they are columns of matrices where `rowvar` is false."""
        values = [self.facts.types[k.value] for k in options if k.arg == "rowvar"]
        if not values or values[0].known is not None and values[0].known.value:
            return "np.vstack"
        ranks = {v.rank for v in sets}
        return "np.hstack" if ranks == {2} and values[0].known is not None else "np.vstack" if ranks == {1} else None

    def _interpolated(self, node: gast.Call, env: Env) -> Value | None:
        """np.interp(x, xp, fp, left=a) → interpolated(x, xp, fp, left=a)."""
        positional, keywords = self.arguments(node, env)
        if "period" in keywords or not any(map(self.varied, [*positional, *keywords.values()])):
            return None
        return self.meant(node, lambda: gast.Call(self.given(array_texts.interpolated), node.args, node.keywords), env)

    def _broadcast(self, node: gast.Call, env: Env) -> Value | None:
        """np.broadcast_arrays(a, b) → (np.broadcast_to(a, shape), np.broadcast_to(b, shape)), each a view of its own array."""
        positional, keywords = self.arguments(node, env)
        if keywords or not any(self.varied(v) for v in positional) or not all(v.numeric for v in positional):
            return None

        def build(*held: str) -> gast.expr:
            shape = self.fresh("shape")
            shapes = [call("np.shape", name(h)) for h in held]
            common = gast.NamedExpr(name(shape, store=True), call("np.broadcast_shapes", *shapes))
            return Let([common], _tuple([call("np.broadcast_to", name(h), name(shape)) for h in held]))

        return self.meant(node, lambda: self.let(node.args, build, "operand"), env)

    def _entries(self, node: gast.Call, env: Env) -> Value | None:
        """np.nditer of one array that is read, or of several vectors."""
        positional, keywords = self.arguments(node, env)
        if len(positional) != 1 or keywords or not self.varied(positional[0]):
            return None
        if positional[0].kind == "array":
            return self.meant(node, lambda: gast.Call(expression("np.ravel"), [*node.args, constant("K")], []), env)
        items = self.known_items(positional[0])
        if items is None or not all(v.kind == "array" and v.rank == 1 for v in items):
            return None
        several = gast.Call(expression("np.broadcast_arrays"), [gast.Starred(node.args[0], gast.Load())], [])
        if isinstance(node.args[0], (gast.List, gast.Tuple)):
            several = gast.Call(expression("np.broadcast_arrays"), list(node.args[0].elts), [])
        zipped = gast.Call(name("list"), [gast.Call(name("zip"), [gast.Starred(several, gast.Load())], [])], [])
        return self.meant(node, lambda: zipped, env)


def _tuple(elements: list[gast.expr]) -> gast.expr:
    return gast.Tuple(list(elements), gast.Load())


def _is_float(node: gast.expr) -> bool:
    """[float], "d"."""
    one = node.elts[0] if isinstance(node, (gast.List, gast.Tuple)) and len(node.elts) == 1 else node
    word = one.id if isinstance(one, gast.Name) else one.attr if isinstance(one, gast.Attribute) else getattr(one, "value", "")
    return word in ("float", "float64", "d")
