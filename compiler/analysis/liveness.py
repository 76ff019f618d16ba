"""Which variables are read later: the classic backward problem."""

from dataclasses import dataclass

import gast

from pullback.compiler.analysis.flow import Flow, Node, solve, union
from pullback.compiler.ir.walk import TRIES, assigned, reads


@dataclass(frozen=True)
class Effect:
    """The names that a statement, or the head of a compound one, reads and binds."""

    reads: set[str]
    assigns: set[str]


@dataclass(frozen=True)
class Liveness:
    """`after[statement]`: the names read on some path that leaves the statement; `before`: on one that comes to it."""

    after: dict[gast.stmt, frozenset[str]]
    before: dict[gast.stmt, frozenset[str]]


def head_reads(statement: gast.stmt) -> set[str]:
    """Names read by a statement, of a compound one by its head alone."""
    if isinstance(statement, (gast.If, gast.While)):
        return reads(statement.test)
    if isinstance(statement, gast.For):
        return reads(statement.iter) | reads(statement.target)
    if isinstance(statement, gast.With):
        return set().union(*(reads(i) for i in statement.items))
    if isinstance(statement, gast.Match):
        return reads(statement.subject) | set().union(*(reads(c.guard) for c in statement.cases if c.guard))
    if isinstance(statement, TRIES):
        return set()
    return reads(statement)


def head_assigns(statement: gast.stmt) -> set[str]:
    """Names bound by a statement, of a compound one by its head alone."""
    if isinstance(statement, (gast.If, gast.While)):
        return assigned(statement.test)
    if isinstance(statement, gast.For):
        return assigned(statement.target) | assigned(statement.iter)
    if isinstance(statement, gast.With):
        return set().union(*(assigned(i) for i in statement.items))
    if isinstance(statement, gast.Match):
        return set().union(*(assigned(c.pattern) for c in statement.cases))
    if isinstance(statement, TRIES):
        return {n for h in statement.handlers if h.name for n in assigned(h)}
    return assigned(statement)


class Effects(dict[gast.stmt, Effect]):
    """The effects of statements, each found out once."""

    def __missing__(self, statement: gast.stmt) -> Effect:
        self[statement] = Effect(head_reads(statement), head_assigns(statement))
        return self[statement]


def live_variables(flow: Flow, known: Effects | None = None) -> Liveness:
    """Liveness of every statement of the graph; what `known` holds of it is not found out again."""

    effects = Effects() if known is None else known

    def transfer(node: Node, after: frozenset[str]) -> frozenset[str]:
        if node.statement is None:
            return after
        effect = effects[node.statement]
        may_skip = isinstance(node.statement, (gast.For, gast.Match, *TRIES))
        return after | effect.reads if may_skip else (after - effect.assigns) | effect.reads

    facts: dict[Node, frozenset[str]] = solve(flow, transfer, union, frozenset(), backward=True)
    live = [(n.statement, n, fact) for n, fact in facts.items() if n.statement is not None]
    return Liveness({s: fact for s, _, fact in live}, {s: transfer(n, fact) for s, n, fact in live})
