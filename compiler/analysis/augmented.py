"""`x += y`: a write into memory, or a new object for the variable alone?"""

import collections
import operator
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.effects import layout_matters
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.stand_ins import stands_for
from pullback.compiler.analysis.values import FLAT, OPAQUE, Value, broadcast, is_repetition, of_numpy, replace
from pullback.compiler.frontend import equivalents
from pullback.compiler.ir.template import loaded
from pullback.compiler.ir.walk import computes

MUTABLE_TARGETS = ("array", "number", "list")
OPERATIONS: dict[type, tuple[Any, Any]] = {
    gast.Add: (np.add, operator.add),
    gast.Sub: (np.subtract, operator.sub),
    gast.Mult: (np.multiply, operator.mul),
    gast.Div: (np.true_divide, operator.truediv),
    gast.Pow: (np.power, operator.pow),
}


class Augmented(Part):
    """The transfer function of augmented assignments."""

    def do_AugAssign(self, s: gast.AugAssign, env: Env) -> None:
        bind = self.interpreter.targets.bind
        if self.interpreter.protocols.is_set_by_call(s.target, env):
            bind(s.target, self.interpreter.protocols.augmented(s, env), env, s)
            return
        held = self.value(s.target.value, env) if isinstance(s.target, gast.Subscript) else None
        if held is not None and stands_for(held, collections.defaultdict) and held.code.more:
            bind(s.target, self.interpreter.stand_ins.augmented_default(s, env), env, s)
            return
        left = self.interpreter.expressions.read_target(s.target, env)
        if left.kind == "list":
            s.value = self.interpreter.generators.at_once(s.value, env)
        right = self.value(s.value, env)
        self.facts.types[s.target] = left
        if left.kind == "tuple" and (self.varied(left) or self.varied(right)):
            whole = gast.BinOp(loaded(s.target), s.op, s.value)
            bind(s.target, self.meant(s, lambda: whole, env), env, s)
            return
        if left.kind == "dict" and isinstance(s.op, gast.BitOr) and (self.varied(left) or self.varied(right)):
            updated = gast.Call(self.given(equivalents.updated), [loaded(s.target), s.value], [])
            bind(s.target, self.meant(s, lambda: updated, env), env, s)
            return
        if left.kind == "dict" and isinstance(s.op, gast.BitOr):
            self.interpreter.containers.filled(left, right, s)
            self.changes(s, left)
            bind(s.target, left, env, s)
            return
        sides = (loaded(s.target), s.value)
        meant = self.interpreter.protocols.meaning_of_operator(s, s.op, left, right, sides, env)
        meant = meant or self.interpreter.sets.operator(s, s.op, left, right, sides, env)
        if meant is not None:
            bind(s.target, meant, env, s)
            return
        result = self.interpreter.arithmetic.operate(s.op, left, right, s)
        base = self.facts.types[s.target.value] if isinstance(s.target, gast.Subscript) else None
        if base is not None and base.numeric:  # a[i] op= v writes a[i] back, a view or a copy though it was read as
            bind(s.target, replace(result, sites=left.sites), env, s)
            self.facts.types[s.target] = left
        elif left.kind == "list" and of_numpy(right) and right.code != FLAT and not is_repetition(s.op, left, right):
            whole = gast.BinOp(loaded(s.target), s.op, s.value)
            bind(s.target, self.meant(s, lambda: whole, env), env, s)
        elif left.kind in MUTABLE_TARGETS:
            self._in_place(s, left, right, result, env)
        elif left.kind == "opaque" and left.sites and not self.varied(result):  # Python alone knows if it is in place
            self.changes(s, left)
            bind(s.target, replace(left, sites=left.sites | result.sites), env, s)
        else:
            if isinstance(s.target, gast.Name):
                self.facts.rebinds[s] = True
            bind(s.target, result, env, s)

    def _in_place(self, s: gast.AugAssign, left: Value, right: Value, result: Value, env: Env) -> None:
        """`x += y` on something mutable: a write, unless nothing else can see the old object."""
        if left.kind == "list":
            if stands_for(left, collections.deque) and left.code.more and self.varied(left):
                self.refuse(
                    s,
                    "deque",
                    "cannot follow this change of a deque with a largest length",
                    "What is added may push out what is there.",
                    "use `append` or `extend`",
                )
            self.interpreter.containers.refuse_own_items(left, s.value, env, s)
            for cell in self.program.cells(left):
                self.program.grow(cell)
                self.program.put(cell, self.element(right, s))
            self.changes(s, left)
            return
        judged = isinstance(s.target, gast.Name) and not getattr(s, "in_place", False)
        rebinds = judged and self._unseen(s.target.id, left, right, result, env, s)
        old = self.facts.rebinds.get(s)
        if old is None or (old and not rebinds):
            self.facts.rebinds[s] = rebinds
            self.program.version += 1
        if self.facts.rebinds[s]:
            fresh = replace(result, sites=frozenset([self.site(s, "array")]))
            if left.kind == "array":
                fresh = replace(fresh, kind="array", dtype=left.dtype or result.dtype, dims=left.dims)
            self._carry(fresh, left, right)
            self.interpreter.targets.bind(s.target, fresh, env, s)
            return
        if left.kind == "number" and (self.varied(left) or self.varied(right)):
            if type(s.op) in OPERATIONS and not computes(s.target):
                self.interpreter.targets.bind(s.target, self.meant(s, lambda: self._as_it_runs(s), env), env, s)
                return
            self.refuse(
                s,
                "augmented",
                "cannot tell whether this assignment writes in place",
                "It is a number on one path and an array on another, and its place holds a call, or its operator is rare.",
                "give what is called a name first, or write `x = x + y`",
            )
        self.changes(s, left)
        for cell in self.program.cells(left):
            self.program.mark(cell, "written")
            if self.varied(right) and left.smooth:
                self.program.mark(cell, "varied")
        self.interpreter.targets.outlives(s, left, right)

    def _as_it_runs(self, s: gast.AugAssign) -> gast.expr:
        """x += y of a number or an array: Python tells which it is, and so does augmented(x, y, ...)."""
        both = [self.given(operation) for operation in OPERATIONS[type(s.op)]]
        return gast.Call(self.given(equivalents.augmented), [loaded(s.target), s.value, *both], [])

    def _carry(self, fresh: Value, left: Value, right: Value) -> None:
        if self.varied(left) or self.varied(right):
            for cell in self.program.cells(fresh):
                self.program.mark(cell, "varied")

    def _unseen(self, name: str, left: Value, right: Value, result: Value, env: Env, s: gast.stmt) -> bool:
        """May the old object be left alone, because only `name` refers to it?"""
        if left.kind == "array" and left.dims == ():
            return False  # what `x + y` makes of arrays without dimension is a number
        if left.kind == "array" and (left.dtype != result.dtype or broadcast(left.dims, right.shape) != left.dims):
            if (
                left.dtype != result.dtype
                or left.dims is None
                or right.shape is None
                or (len(right.shape) > len(left.dims))
            ):
                return False
        if name in self.code.captured or name in self.code.nonlocals or name in self.interpreter.iterated.get(s, ()):
            return False  # the loop's iterator holds the old object
        roots = self.program.roots(left)
        for cell in self.program.cells(left):
            if cell.stored or cell.from_outside and (self.spec.index != 0 or layout_matters(self.program)):
                return False
        if any(s.startswith("global ") for s in left.sites):
            return False
        if self.spec.index != 0 and roots & self.parameter_roots():
            return False
        live = self.interpreter.liveness.after.get(s, frozenset()) | set(self.interpreter.calls.captured_inside())
        others = [v for n, v in env.items() if n != name and n in live]
        others += [self.facts.types.get(managed.made, OPAQUE) for managed in self.facts.managed.values()]  # till they leave
        return not any(roots & self.program.roots_inside(v) for v in others)

    def parameter_roots(self) -> frozenset[str]:
        return frozenset(r for v in self.spec.parameters.values() for r in self.program.reached(v))
