"""Which assignments a read may see, and whether a name is certainly bound."""

from dataclasses import dataclass

import gast

from pullback.compiler.analysis.flow import Flow, Node, solve, union
from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.ir.walk import TRIES

Definition = tuple[str, gast.stmt | None]  # None: the value on entry, or unbound


@dataclass(frozen=True)
class Reaching:
    """`before[statement]`: the (name, defining statement) pairs that may hold when it starts."""

    before: dict[gast.stmt, frozenset[Definition]]
    at_exit: frozenset[Definition]
    parameters: frozenset[str]

    def names(self) -> frozenset[str]:
        """Every variable of the function."""
        return self.parameters | {name for fact in self.before.values() for name, _ in fact}

    def certain(self, name: str, statement: gast.stmt) -> bool:
        """Is the name bound on every path to the statement?"""
        return name in self.parameters or (name, None) not in self.before.get(statement, frozenset())


def reaching_definitions(flow: Flow, parameters: list[str]) -> Reaching:
    """Reaching definitions of every statement of the graph."""
    new = {s: head_assigns(s) for s in flow.of}
    start = frozenset((n, None) for n in {*parameters}.union(*new.values()))

    def transfer(node: Node, before: frozenset[Definition]) -> frozenset[Definition]:
        s = node.statement
        if s is None:
            return before
        may_skip = isinstance(s, (gast.For, gast.Match, *TRIES))
        kept = before if may_skip else frozenset(d for d in before if d[0] not in new[s])
        return kept | {(n, s) for n in new[s]}

    facts = solve(flow, transfer, union, start)
    before = {n.statement: fact for n, fact in facts.items() if n.statement is not None}
    return Reaching(before, facts.get(flow.exit, frozenset()), frozenset(parameters))
