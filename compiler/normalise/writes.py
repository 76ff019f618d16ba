"""Calls that write into their arguments become assignments.

np.add(a, b, out=c)    →   c[...] = np.add(a, b)
np.add.at(y, i, v)     →   y[...] += scattered(y, i, v)
x.sort()               →   x[...] = np.sort(x)
"""

from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.outputs import split_output
from pullback.compiler.ir.template import (
    call,
    clone,
    constant,
)
from pullback.runtime.selection import scattered


class WriteCalls:
    """The part of the flattener that deals with functions that write."""

    facts: Any
    names: Any
    program: Any
    spec: Any
    active: Any
    type_of: Any
    lowered: Any
    must_move: Any
    _named: Any
    _with_arguments: Any
    is_place: Any

    def _write_call(self, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt] | None:
        """Functions that write: np.add(a, b, out=c), x.fill(v), np.copyto(x, v) → assignments to x[...]."""
        if node in self.facts.calls:  # a function of the user's, whose `out` is its own
            return None
        thing = self.facts.resolved.get(node)
        target, value = self._output(node)
        if target is not None:
            return self._output_write(node, target, value, out)
        method = node.func.attr if isinstance(node.func, gast.Attribute) else ""
        if method == "fill" and isinstance(node.func, gast.Attribute) and self.active(node.func.value):
            return [self._whole_write(self.lowered(node.func.value, out), self.lowered(node.args[0], out), out)]
        if method == "sort" and isinstance(node.func, gast.Attribute) and not node.args and not node.keywords:
            base = self.lowered(node.func.value, out)
            if self.type_of(node.func.value).kind == "array" and self.active(node.func.value):
                base = base if self.is_place(base) else self._named(base, out)
                ordered = call("np.sort", clone(base))
                self.facts.resolved[ordered] = np.sort
                return [self._whole_write(base, ordered, out)]
        if thing is np.copyto and len(node.args) == 2 and not node.keywords and self.active(node.args[0]):
            return [self._whole_write(self.lowered(node.args[0], out), self.lowered(node.args[1], out), out)]
        return self._at_write(node, thing, out)

    def _output(self, node: gast.Call) -> tuple[gast.expr | None, gast.Call]:
        """What a primitive writes its result into, and the call without it."""
        if node in self.facts.calls:
            return None, node
        bound = isinstance(node.func, gast.Attribute) and self.type_of(node.func.value).numeric
        return split_output(node, self.facts.resolved.get(node), bound)

    def _output_write(
        self, node: gast.Call, target: gast.expr, value: gast.Call, out: list[gast.stmt]
    ) -> list[gast.stmt] | None:
        base = [node.func.value] if isinstance(node.func, gast.Attribute) else []
        if not any(self.active(a) for a in (target, *base, *value.args, *(k.value for k in value.keywords))):
            return None
        if any(k.arg == "where" for k in value.keywords):
            self.program.refuse(
                self.spec.code,
                node,
                "where",
                "cannot follow `out=` together with `where=`",
                "Only some entries are written.",
                "write `out[mask] = f(x[mask])`",
            )
        self.facts.resolved[value] = self.facts.resolved[node]
        return [self._whole_write(self.lowered(target, out), self._with_arguments(value, out), out)]

    def _at_write(self, node: gast.Call, thing: Any, out: list[gast.stmt]) -> list[gast.stmt] | None:
        """np.add.at(y, i, v): y += the entries of v gathered where i sends them."""
        owner = getattr(thing, "__self__", None)
        if getattr(thing, "__name__", "") != "at" or owner not in (np.add, np.subtract) or len(node.args) != 3:
            return None
        if not any(self.active(a) for a in node.args):
            return None
        base, index, value = node.args
        base = self.lowered(base, out)
        base = base if self.is_place(base) else self._named(base, out)
        value = call("scattered", clone(base), self.lowered(index, out), self.lowered(value, out))
        self.facts.resolved[value] = scattered
        op = gast.Add() if owner is np.add else gast.Sub()
        return [gast.AugAssign(gast.Subscript(base, constant(Ellipsis), gast.Store()), op, value)]

    def _whole_write(self, target: gast.expr, value: gast.expr, out: list[gast.stmt]) -> gast.stmt:
        if not self.is_place(target):
            target = self._named(target, out)
        return gast.Assign([gast.Subscript(target, constant(Ellipsis), gast.Store())], value, None)
