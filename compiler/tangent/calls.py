"""Calls of user functions: one that derivatives pass through returns its result and the result's tangent.

    y = damped(a, k)   →   y, y_dot = damped_tangent(a, a_dot, k)
"""

from typing import TYPE_CHECKING

import gast

from pullback.compiler.analysis.program import CallFact, Spec
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import name

if TYPE_CHECKING:
    from pullback.compiler.tangent.statements import Statements


class Calls:
    """What becomes of the calls in the statements of one function."""

    def __init__(self, statements: "Statements", labels: dict[Spec, str]) -> None:
        self.statements = statements
        self.labels = labels  # of the tangents of the functions called

    def assigned(self, s: gast.stmt, node: gast.Call, fact: CallFact, targets: list[gast.expr]) -> list[gast.stmt]:
        """y = g(x) → y, y_dot = g_tangent(x, x_dot)."""
        t = self.statements.tangents
        t.begin(s)
        names = [x.id for x in targets]  # type: ignore[attr-defined]
        done = self._called(node, fact, names)
        if self._moves(fact):
            return done
        return [*done, *self.statements.zeros(s, set(names))]

    def inside(self, node: gast.Call, fact: CallFact) -> gast.expr | None:
        """The tangent of a call in the middle of an expression: the call becomes a statement before it."""
        t = self.statements.tangents
        held = t.names.fresh(described(node))
        self.statements.moving.add(held)
        done = self._called(node, fact, [held])
        t.before[:] = done
        t.kept[node] = name(held)
        return name(self.statements.dot_name(held)) if self._moves(fact) else None

    def _moves(self, fact: CallFact) -> bool:
        """Has the result of a call a tangent?"""
        return fact.callee.result is not None and self.statements.varied(fact.callee.result)

    def _called(self, node: gast.Call, fact: CallFact, names: list[str]) -> list[gast.stmt]:
        statements = self.statements
        t = statements.tangents
        passed: list[gast.expr] = []
        for parameter in parameters_of(fact.callee):
            argument = t.planner.calls.argument(fact, parameter)
            dotted = statements.varied(fact.callee.parameters.get(parameter, Value("opaque")))
            dot = t.part(argument) if dotted else None
            passed.append(t.operand(argument) if dotted and not isinstance(argument, gast.Starred) and (
                t.impure(argument)) else t.value(argument))
            if dot is not None:
                passed.append(dot)
        called = gast.Call(name(self.labels[fact.callee]), passed, [])
        received: list[gast.expr] = []
        outputs = fact.callee.code.nonlocals
        if names or outputs:
            received.append(_targets(names))
            if self._moves(fact):
                moving = statements.moving
                received.append(_targets([statements.dot_name(n) if n in moving else "_" for n in names]))
        for output in outputs:
            received.append(name(output, store=True))
            if statements.varied(fact.callee.outputs.get(output, Value("none"))):
                received.append(name(statements.dot_name(output), store=True))
        if not received:
            return [*t.before, gast.Expr(called)]
        target = received[0] if len(received) == 1 else gast.Tuple(received, gast.Store())
        return [*t.before, gast.Assign([target], called, None)]


def parameters_of(spec: Spec) -> tuple[str, ...]:
    """What a function is handed: its parameters and the variables that it captures."""
    return (*spec.code.parameters, *spec.code.captured)


def _targets(names: list[str]) -> gast.expr:
    if len(names) == 1:
        return name(names[0], store=True)
    return gast.Tuple([name(n, store=True) for n in names], gast.Store()) if names else name("_", store=True)
