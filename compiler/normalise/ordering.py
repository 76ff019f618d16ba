"""Inert calls that do something, or ask for something that changes, become statements where their order matters.

z = a * n[0] + f() * b   →   mul_a = a * n[0]        where f changes n
                             f2 = f()
                             z = mul_a + f2 * b
"""

from typing import Any

import gast

from pullback.compiler.analysis.effects import acts
from pullback.compiler.ir.walk import COMPREHENSIONS, every_node
from pullback.compiler.normalise.attempts import carries_derivative
from pullback.compiler.normalise.context import Context

LAZY = (gast.IfExp, gast.BoolOp, *COMPREHENSIONS)  # what is inside need not be evaluated, or more than once
SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return)


class Ordering(Context):
    """Which parts of a statement have to be evaluated on their own."""

    def marked(self, s: gast.stmt) -> set[gast.AST]:
        """The calls of an active statement that act, if it holds more than one thing which they may disturb."""
        if not isinstance(s, SIMPLE) or not any(self.active(n) for n in every_node(s)):
            return set()
        whole = getattr(s, "value", None)
        memory = {self.program.root(site) for site in self.facts.writes.get(s, frozenset())}
        calls = [self.facts.calls[n].callee.code for n in every_node(s) if n in self.facts.calls]
        rebound = set().union(*(code.nonlocals for code in calls))
        acting: list[Any] = []
        reading = 0
        waiting: list[Any] = [s]
        while waiting:
            node = waiting.pop()
            if isinstance(node, gast.Lambda):
                continue
            if isinstance(node, LAZY):
                inert = not self.active(node)  # what is active is written out as statements anyway
                if inert and any(isinstance(n, gast.Call) and self._acts(n) for n in every_node(node)):
                    acting.append(node)
                continue
            if isinstance(node, gast.Call) and node is not whole and self._acts(node):
                acting.append(node)
            reading += self._reads_from(node, memory)
            reading += isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id in rebound
            waiting += gast.iter_child_nodes(node)
        return set(acting) if len(acting) > 1 or acting and reading else set()

    def head_changes(self, s: Any, head: gast.expr) -> bool:
        """Does asking for the test of an active loop, or for what it goes through, change something?"""
        calls = [self.facts.calls[n].callee for n in every_node(head) if n in self.facts.calls]
        changing = any(c.code.nonlocals or c.written for c in calls) or bool(self.facts.writes.get(s))
        return changing and carries_derivative(self.program, self.facts, s)

    def _acts(self, node: gast.Call) -> bool:
        """Does an inert call act? Those that derivatives pass through are statements anyway."""
        return not self.active_call(node) and node not in self.facts.meanings and acts(self.facts, node)

    def _reads_from(self, node: gast.AST, memory: set[str]) -> bool:
        """Is this an item, a field, or what a function says, of memory that changes?"""
        parts: list[gast.expr] = []
        field = isinstance(node, gast.Attribute) and self.type_of(node.value).kind == "object"
        if (field or isinstance(node, gast.Subscript)) and isinstance(node.ctx, gast.Load):  # type: ignore[attr-defined]
            parts = [node.value]  # type: ignore[attr-defined]
        elif isinstance(node, gast.Call) and not self._acts(node):
            parts = list(node.args)
        return bool(memory) and any(self.program.reached(self.type_of(p)) & memory for p in parts)
