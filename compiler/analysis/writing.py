"""Abstract values of calls that write into an argument: of functions that change one, and by `out`."""

from dataclasses import replace
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import NONE, Value
from pullback.compiler.frontend import equivalents
from pullback.compiler.rules.methods import ATTRIBUTES
from pullback.compiler.rules.writing import Writer, split_out

WAYS = {"shape": "make a view, `x = x.reshape(...)`", "dtype": "make a new array, `x = x.astype(...)`"}


class Writing(Part):
    """The transfer function of calls that write."""

    def call_writer(self, writer: Writer, node: gast.Call, env: Env, base: Value | None = None) -> Value:
        """np.copyto(x, v), x.fill(v): the first argument holds something of the others from now on."""
        positional, keywords = self.arguments(node, env)
        given = writer.bind([*([base] if base is not None else []), *positional], keywords)
        if given is None or any(isinstance(a, gast.Starred) for a in node.args) or "**" in keywords:
            self.hidden(node, [*positional, *keywords.values()])
            return NONE
        target, *others = given.values()
        self.writes_to(target, any(self.varied(v) for v in others), node)
        return NONE

    def writes_to(self, target: Value, varied: bool, node: gast.AST) -> None:
        """Something is written into an array: an active value?"""
        self.changes(self.interpreter.statement, target)
        if target.kind not in ("array", "number"):
            if varied:
                self.interpreter.targets.refuse_write(node)
            return
        for cell in self.program.cells(target):
            self.program.mark(cell, "written")
            if varied and target.smooth:
                self.program.mark(cell, "varied")
        self.interpreter.targets.outlives(self.interpreter.statement, target, replace(target, varied=varied))

    def write_part(self, target: gast.Attribute, base: Value, value: Value, env: Env, at: gast.stmt) -> None:
        """x.flat = v, z.real = v: content is written. x.shape = 6: nothing is known any more of x and its other names."""
        if target.attr in ATTRIBUTES:
            self.writes_to(base, self.varied(value), at)
            return
        if self.varied(base) or self.varied(value):
            self.refuse(
                at,
                "attribute",
                f"cannot follow an assignment to the `{target.attr}` of an active array",
                "It changes the array itself, for all who refer to it.",
                WAYS.get(target.attr, "write into its entries, `x[...] = v`"),
            )
        for name, other in env.items():
            if other.numeric and self.program.roots(other) & self.program.roots(base):
                env[name] = Value("number", sites=other.sites, varied=other.varied)

    def hidden(self, node: gast.Call, arguments: list[Value]) -> None:
        """Refuse a call that may write to an argument which the text does not show."""
        if any(self.varied(v) for v in arguments):
            self.refuse(
                node,
                "out",
                "cannot follow what this call writes",
                "A starred argument may hold its `out`.",
                "pass the arguments one by one",
            )

    def applied(self, function: Any, positional: list[Value], keywords: dict[str, Value], node: gast.Call) -> Value:
        """The value of a primitive; told to write its results somewhere, it returns where."""
        positional, keywords, outs = split_out(function, positional, keywords)
        stars = [a for a in node.args if isinstance(a, gast.Starred)]
        unknown = isinstance(function, np.ufunc) and any(self.count(self.facts.types[a]) is None for a in stars)
        if "**" in keywords or unknown or stars and outs:
            self.hidden(node, [*positional, *keywords.values(), *outs])
        value = self.interpreter.arithmetic.apply(function, positional, keywords, node)
        if len(outs) == 1 and outs[0].kind == "tuple" and outs[0].items is not None:
            outs = list(outs[0].items)
        if all(out.kind == "none" for out in outs):
            return value
        if not isinstance(function, np.ufunc) and _misfit(outs[0], value):
            del self.facts.resolved[node]  # NumPy raises
            return value
        results = list(value.items) if len(outs) > 1 and value.items is not None else [value] * len(outs)
        done = [self._filled(out, result, node) for out, result in zip(outs, results)]
        return done[0] if len(done) == 1 else Value("tuple", items=tuple(done))

    def _filled(self, out: Value, result: Value, node: gast.Call) -> Value:
        if out.kind == "none":
            return result
        self.writes_to(out, self.varied(result), node)
        return out.active() if self.varied(out) and out.numeric else out

    def in_place_method(self, name: str, base: Value, node: gast.Call, env: Env) -> Value:
        positional, _ = self.arguments(node, env)
        varied = self.varied(base) or any(self.varied(a) for a in positional)
        self.writes_to(base, varied, node)
        if varied:
            self.refuse(
                node,
                "in-place",
                f"cannot reverse the in-place method `{name}`",
                "It changes the size or the order of an active array in place.",
                f"make a new array, as `np.{name}`, `np.where`, `np.pad` or an index do",
            )
        return NONE

    def call_at(self, ufunc: np.ufunc, node: gast.Call, env: Env) -> Value:
        """np.multiply.at(y, i, v), which no assignment says."""
        positional, _ = self.arguments(node, env)
        varied = any(self.varied(v) for v in positional)
        if varied and len(positional) == ufunc.nin + 1 and self._is_row_of_integers(positional[1]):
            text = equivalents.changed_at if ufunc.nin == 2 else equivalents.changed_alone_at
            return self.meant(node, lambda: gast.Call(self.given(text), [self.given(ufunc), *node.args], []), env)
        if positional:
            self.writes_to(positional[0], varied, node)
        if varied:
            self.refuse(
                node,
                "at",
                f"cannot reverse `np.{ufunc.__name__}.at`",
                "It writes into the array once for each index, repeated ones included.",
                "use `np.add.at`, or a loop over the indices",
            )
        return NONE

    def _is_row_of_integers(self, value: Value) -> bool:
        """Is this a vector or a list of indices?"""
        if value.kind == "list":
            return self.element(value, None).kind == "int"
        return value.kind == "array" and value.rank == 1 and value.dtype.startswith(("int", "uint"))


def _misfit(out: Value, result: Value) -> bool:
    return out.rank is not None and result.rank is not None and out.rank != result.rank
