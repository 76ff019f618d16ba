"""Backward activity: which variables' adjoints may be other than zero at a point."""

from dataclasses import dataclass
from typing import Any

import gast

from pullback.compiler.adjoint.steps import Step
from pullback.compiler.analysis.flow import Flow, Node, solve, union
from pullback.compiler.ir.walk import root_of

Names = frozenset[str]


@dataclass(frozen=True)
class Activity:
    """`after[s]`: variables with a value adjoint that may be set when the reverse sweep reaches s from below."""

    after: dict[gast.stmt, Names]
    before: dict[gast.stmt, Names]


def roots_of(step: Step, has_value_adjoint: Any) -> set[str]:
    """The variables whose value adjoints a step's contributions add to."""
    found = set()
    for c in step.contributions.found:
        place = root_of(c.place)
        if isinstance(place, gast.Name) and has_value_adjoint(step, place):
            found.add(place.id)
    return found


def find_active(flow: Flow, steps: dict[gast.stmt, Step], has_value_adjoint: Any, seeds: Names) -> Activity:
    """Solve backwards from the variables of the returned values."""
    roots = {s: frozenset(roots_of(step, has_value_adjoint)) for s, step in steps.items()}

    def transfer(node: Node, after: Names) -> Names:
        step = steps.get(node.statement) if node.statement is not None else None
        if step is None:
            return after
        if step.swap:
            return frozenset(_swapped(step, v) for v in after)
        used = step.always or bool(after & set(step.targets))
        kept = after - set(step.targets)
        return kept | roots[node.statement] if used and node.statement is not None else kept

    facts = solve(flow, transfer, union, seeds, backward=True)
    after = {n.statement: f for n, f in facts.items() if n.statement is not None}
    before = {n.statement: transfer(n, f) for n, f in facts.items() if n.statement is not None}
    return Activity(after, before)


def _swapped(step: Step, variable: str) -> str:
    statement: Any = step.statement
    targets = [e.id for e in statement.targets[0].elts]
    sources = [e.id for e in statement.value.elts]
    return sources[targets.index(variable)] if variable in targets else variable
