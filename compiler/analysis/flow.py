"""The control-flow graph of a function in normal form, and the one solver of every dataflow problem."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import gast

from pullback.compiler.ir.walk import TRIES

Fact = TypeVar("Fact")


@dataclass(eq=False)
class Node:
    """A statement; of an `if`, `while` or `for` only its head (test, or next item)."""

    statement: gast.stmt | None
    successors: list["Node"] = field(default_factory=list)
    predecessors: list["Node"] = field(default_factory=list)
    index: int = 0


@dataclass(frozen=True)
class Flow:
    """The graph: nodes in reading order, and the node of each statement."""

    nodes: tuple[Node, ...]
    entry: Node
    exit: Node
    of: dict[gast.stmt, Node]


PATIENCE = 12


def control_flow(body: list[gast.stmt]) -> Flow:
    """The graph of a statement list."""
    return _Builder().build(body)


class _Builder:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.of: dict[gast.stmt, Node] = {}
        self.exit = Node(None)
        self.loops: list[tuple[Node, list[Node]]] = []  # (head, nodes that leave by break)

    def build(self, body: list[gast.stmt]) -> Flow:
        entry = self._node(None)
        ends = self._block(body, [entry])
        self._join(ends, self.exit)
        self.exit.index = len(self.nodes)
        self.nodes.append(self.exit)
        return Flow(tuple(self.nodes), entry, self.exit, self.of)

    def _node(self, statement: gast.stmt | None) -> Node:
        node = Node(statement, index=len(self.nodes))
        self.nodes.append(node)
        if statement is not None:
            self.of[statement] = node
        return node

    def _join(self, sources: Iterable[Node], target: Node) -> None:
        for source in sources:
            source.successors.append(target)
            target.predecessors.append(source)

    def _block(self, body: list[gast.stmt], sources: list[Node]) -> list[Node]:
        for statement in body:
            node = self._node(statement)
            self._join(sources, node)
            sources = self._after(statement, node)
        return sources

    def _after(self, statement: gast.stmt, node: Node) -> list[Node]:
        if isinstance(statement, gast.If):
            return self._block(statement.body, [node]) + self._block(statement.orelse, [node])
        if isinstance(statement, (gast.For, gast.While)):
            return self._loop(statement, node)
        if isinstance(statement, gast.With):
            return self._block(getattr(statement, "orelse", []), self._block(statement.body, [node]))
        if isinstance(statement, TRIES):
            return self._try(statement, node)
        if isinstance(statement, gast.Match):
            ends = [end for case in statement.cases for end in self._block(case.body, [node])]
            return [*ends, node]
        if isinstance(statement, gast.Break):
            self.loops[-1][1].append(node)
            return []
        if isinstance(statement, gast.Continue):
            self._join([node], self.loops[-1][0])
            return []
        if isinstance(statement, (gast.Return, gast.Raise)):
            self._join([node], self.exit)
            return []
        return [node]

    def _loop(self, loop: gast.For | gast.While, head: Node) -> list[Node]:
        self.loops.append((head, []))
        self._join(self._block(loop.body, [head]), head)
        left = self.loops.pop()[1]
        endless = isinstance(loop, gast.While) and isinstance(loop.test, gast.Constant) and loop.test.value is True
        return [*([] if endless else self._block(loop.orelse, [head])), *left]

    def _try(self, statement: gast.Try, node: Node) -> list[Node]:
        first = len(self.nodes)
        ends = self._block(statement.body, [node])
        raising = [node, *self.nodes[first:]]  # an exception may leave before or after any of them
        ends = self._block(statement.orelse, ends)
        for handler in statement.handlers:
            ends = ends + self._block(handler.body, raising)
        return self._block(statement.finalbody, ends)


def solve(
    flow: Flow,
    transfer: Callable[[Node, Fact], Fact],
    join: Callable[[Fact, Fact], Fact],
    start: Fact,
    *,
    backward: bool = False,
    leads: Callable[[Node, Node], bool] = lambda source, target: True,
) -> dict[Node, Fact]:
    """The least fixed point: for each node the fact before it (after it, if backward), in flow direction.

    leads: may the fact after a node pass to its neighbour? It is asked anew each time.
    """
    order = list(reversed(flow.nodes)) if backward else list(flow.nodes)
    first = flow.exit if backward else flow.entry
    before: dict[Node, Fact] = {first: start}
    after: dict[Node, Fact] = {}
    visits: dict[Node, int] = {}
    pending = set(order)
    while pending:
        for node in order:
            if node not in pending:
                continue
            pending.discard(node)
            sources = node.successors if backward else node.predecessors
            facts = [after[s] for s in sources if s in after and leads(s, node)]
            if node is first:
                facts.append(start)
            if not facts:
                continue
            fact = facts[0]
            for other in facts[1:]:
                fact = join(fact, other)
            before[node] = fact
            new = transfer(node, fact)
            visits[node] = visits.get(node, 0) + 1
            if visits[node] > PATIENCE:  # a transfer that swings between facts settles at their join
                new = join(after[node], new)
            if node not in after or new != after[node]:
                after[node] = new
                pending |= set(node.predecessors if backward else node.successors)
    return before


def union(a: Any, b: Any) -> Any:
    """The join of may-problems."""
    return a | b
