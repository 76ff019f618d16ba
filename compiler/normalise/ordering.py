"""Inert calls that do something, or ask for something that changes, become statements where their order matters.

z = a * n[0] + f() * b   →   mul_a = a * n[0]        where f changes n
                             f2 = f()
                             z = mul_a + f2 * b
"""

from typing import Any

import gast

from pullback.compiler.analysis.effects import acts, acts_behind, with_meanings
from pullback.compiler.ir.walk import PERHAPS_EVALUATED, children, every_node
from pullback.compiler.normalise.context import Context

SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return)


class Ordering(Context):
    """Which parts of a statement have to be evaluated on their own."""

    def marked(self, s: gast.stmt, around: frozenset[str]) -> set[gast.AST]:
        """The calls of an active statement that act, if they may disturb each other or anything else.

        around: the memory that changes in the statement that it is made of.
        """
        if not isinstance(s, SIMPLE):
            return set()
        bound = s.targets if isinstance(s, gast.Assign) else [s.target] if isinstance(s, (gast.AugAssign, gast.AnnAssign)) else []
        plain = all(isinstance(t, gast.Name) for t in bound)
        if not any(self.active(n) for n in every_node(s)) and (plain or not self._writes_beside(s)):
            return set()
        memory = self.changed_by(s) | around
        calls = [self.facts.calls[n].callee.code for n in every_node(s) if n in self.facts.calls]
        rebound = set().union(*(code.nonlocals for code in calls))
        whole = s.value if plain and not isinstance(s, gast.AugAssign) else None
        return self._apart(s, whole, bool(memory or rebound))

    def _writes_beside(self, s: Any) -> bool:
        """Does what is assigned to an inert part call something that changes other memory?"""
        return s.value is not None and any(self._acts(n) for n in every_node(s.value))

    def _apart(self, tree: gast.AST, whole: Any, changes: bool) -> set[gast.AST]:
        """The acting calls of what is evaluated from left to right, if they are several or change memory or variables.

        whole: the call that is no part of more.
        """
        acting: list[Any] = []
        within: set[gast.AST] = set()
        waiting: list[gast.AST] = [tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, gast.Lambda):
                continue
            if isinstance(node, PERHAPS_EVALUATED):
                if self.active(node):  # its parts are written out as statements anyway
                    test = getattr(node, "test", None)  # which is tested where it stands
                    within = within.union(*(self._apart(p, p if p is not test else None, changes) for p in children(node)))
                elif any(self._acts(n) for n in every_node(node)):
                    acting.append(node)
                continue
            if node is not whole and self._acts(node):
                acting.append(node)
            waiting += children(node)
        return within.union(acting if changes or len(acting) > 1 else ())

    def changed_by(self, s: gast.stmt) -> frozenset[str]:
        """The memory that changes in a simple statement."""
        if not isinstance(s, SIMPLE):
            return frozenset()
        return frozenset(self.program.root(site) for site in self.facts.writes.get(s, frozenset()))

    def head_changes(self, s: Any, head: gast.expr) -> bool:
        """Does asking for a test, or for what a loop goes through, change something?"""
        asked = list(with_meanings(self.facts, head))
        calls = [self.facts.calls[n].callee for n in asked if n in self.facts.calls]
        changing = any(self.facts.writes.get(n) for n in [s, *asked])
        return changing or any(c.code.nonlocals or c.written for c in calls)

    def _acts(self, node: gast.AST) -> bool:
        """Does something inert act? Calls that derivatives pass through are statements anyway."""
        if node in self.facts.meanings:
            return not self.active(node) and acts_behind(self.facts, node)
        if not isinstance(node, gast.Call):
            return isinstance(node, gast.expr) and node in self.facts.writes
        return not self.active_call(node) and acts(self.facts, node)

    def refers_to(self, node: gast.AST, memory: frozenset[str]) -> bool:
        """Is this a variable that leads to memory that changes?"""
        loaded = isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)
        return loaded and bool(self.program.reached(self.type_of(node)) & memory)
