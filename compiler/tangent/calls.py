"""Calls of user functions: one that derivatives pass through returns its result and the result's tangent.

    y = damped(a, k)   →   y, y_dot = damped_tangent(a, a_dot, k)
"""

from typing import Any

import gast

from pullback.compiler.analysis.program import CallFact, Spec
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import name


class Calls:
    """The part of the transformer that deals with calls."""

    tangents: Any
    facts: Any
    labels: dict[Spec, str]
    moving: set[str]
    dot_name: Any
    varied: Any
    type_of: Any
    _zeros: Any

    def _call(self, s: gast.stmt, node: gast.Call, fact: CallFact, targets: list[gast.expr]) -> list[gast.stmt]:
        """y = g(x) → y, y_dot = g_tangent(x, x_dot)."""
        t = self.tangents
        t.begin(s)
        names = [x.id for x in targets]  # type: ignore[attr-defined]
        done = self._called(node, fact, names)
        if fact.callee.result is not None and self.varied(fact.callee.result):
            return done
        return [*done, *self._zeros(s, set(names))]

    def _inner_call(self, node: gast.Call, fact: CallFact) -> gast.expr | None:
        """The tangent of a call in the middle of an expression: the call becomes a statement before it."""
        t = self.tangents
        held = t.names.fresh(described(node))
        self.moving.add(held)
        done = self._called(node, fact, [held])
        t.before[:] = done
        t.kept[node] = name(held)
        return name(self.dot_name(held)) if fact.callee.result is not None and self.varied(fact.callee.result) else None

    def _called(self, node: gast.Call, fact: CallFact, names: list[str]) -> list[gast.stmt]:
        t = self.tangents
        passed: list[gast.expr] = []
        for parameter in parameters_of(fact.callee):
            argument = self._argument(node, fact, parameter)
            dotted = self.varied(fact.callee.parameters.get(parameter, Value("opaque")))
            dot = t.part(argument) if dotted else None
            passed.append(t.operand(argument) if dotted and not isinstance(argument, gast.Starred) and (
                t._impure(argument)) else t.value(argument))
            if dot is not None:
                passed.append(dot)
        called = gast.Call(name(self.labels[fact.callee]), passed, [])
        received: list[gast.expr] = []
        outputs = fact.callee.code.nonlocals
        result_varied = fact.callee.result is not None and self.varied(fact.callee.result)
        if names or outputs:
            received.append(_targets(names))
            if result_varied:
                received.append(_targets([self.dot_name(n) if n in self.moving else "_" for n in names]))
        for output in outputs:
            received.append(name(output, store=True))
            if self.varied(fact.callee.outputs.get(output, Value("none"))):
                received.append(name(self.dot_name(output), store=True))
        if not received:
            return [*t.before, gast.Expr(called)]
        target = received[0] if len(received) == 1 else gast.Tuple(received, gast.Store())
        return [*t.before, gast.Assign([target], called, None)]

    def _argument(self, node: gast.Call, fact: CallFact, parameter: str) -> gast.expr:
        """The expression that a parameter of the callee gets."""
        return self.tangents.planner.calls.argument(fact, parameter)


def parameters_of(spec: Spec) -> tuple[str, ...]:
    """What a function is handed: its parameters and the variables that it captures."""
    return (*spec.code.parameters, *spec.code.captured)


def _targets(names: list[str]) -> gast.expr:
    if len(names) == 1:
        return name(names[0], store=True)
    return gast.Tuple([name(n, store=True) for n in names], gast.Store()) if names else name("_", store=True)
