"""Abstract values of primitives that write into an argument."""

from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.containers import Containers
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import NONE, Value

WAYS = {
    "shape": "make a view, `x = x.reshape(...)`",
    "dtype": "make a new array, `x = x.astype(...)`",
    "real": "write `x.real[...] = v`",
    "imag": "write `x.imag[...] = v`",
}


class Writing(Containers):
    """The transfer function of calls that write."""

    _refuse_write: Any
    arguments: Any

    def _into(self, target: Value, operands: list[Value]) -> bool:
        """Note that a call writes what comes of the operands into the target. Is it active?"""
        for part in (target, *(target.items or ())):  # out=(c, d)
            self.changes(self.statement, part)
        active = any(self.varied(a) for a in operands)
        for cell in self.program.cells(target):
            self.program.mark(cell, "written")
            if active and target.smooth:
                self.program.mark(cell, "varied")
        return active

    def _written(self, node: gast.Call, out: gast.expr, operands: list[Value], env: Env) -> Value:
        """The value of a call whose result goes into `out`."""
        target = self.value(out, env)
        active = self._into(target, operands)
        if active and not target.numeric:
            self._refuse_write(node, target)
        return target.active() if self.varied(target) else target

    def _in_place_method(self, name: str, base: Value, node: gast.Call, env: Env) -> Value:
        positional, _ = self.arguments(node, env)
        active = self._into(base, positional)
        if self.varied(base) or active:
            if name != "fill" and not (name == "sort" and not node.args and not node.keywords):
                self.refuse(
                    node,
                    "in-place",
                    f"cannot reverse the in-place method `{name}`",
                    "It changes the size or the order of an active array in place.",
                    f"make a new array, as `np.{name}`, `np.where`, `np.pad` or an index do",
                )
        return NONE

    def _scatter(self, ufunc: np.ufunc, positional: list[Value], node: gast.Call) -> Value:
        """np.add.at(y, i, v) writes into y."""
        active = self._into(positional[0], positional)
        if ufunc not in (np.add, np.subtract) and active:
            self.refuse(
                node,
                "at",
                f"cannot reverse `np.{ufunc.__name__}.at`",
                "It writes into the array once for each index, repeated ones included.",
                "use `np.add.at`, or a loop over the indices",
            )
        return NONE

    def _write_array_attribute(
        self, target: gast.Attribute, base: Value, value: Value, env: Env, at: gast.stmt
    ) -> None:
        """x.shape = 6: whatever is known of the shape or dtype of x and of its other names is known no longer."""
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
