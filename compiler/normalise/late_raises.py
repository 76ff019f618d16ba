"""What functions may raise after they have changed something that their caller sees.

    def step(self):
        if self.x > 2.0:
            raise Stop            before anything is changed: caught by the caller, it leaves nothing half done
        self.x = self.x * 1.5
        self.n += 1 // self.m     after a change: a ZeroDivisionError does
"""

from typing import Any

import gast

from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.values import CONTAINERS
from pullback.compiler.ir.walk import TRIES, assigned, blocks, own_nodes
from pullback.compiler.normalise.raising import ANYTHING, Raising

Raised = dict[Spec, frozenset[type[BaseException]]]


def find_late_raises(program: Program) -> Raised:
    """For each function the classes of exceptions that it may raise after a change; nothing where none are caught."""
    if not any(_tries(spec.body) for spec in program.specs.values()):
        return {}
    every: Raised = {s: frozenset() for s in program.specs.values()}
    late: Raised = dict(every)
    while True:
        before = dict(every), dict(late)
        for spec in program.specs.values():
            walk = _Walk(spec, every, late)
            walk.block(spec.body, False)
            every[spec], late[spec] = frozenset(walk.every), frozenset(walk.late)
        if (every, late) == before:
            return late


def _tries(body: list[gast.stmt]) -> bool:
    return any(isinstance(s, TRIES) or any(map(_tries, blocks(s))) for s in body)


class _Walk:
    def __init__(self, spec: Spec, every: Raised, late: Raised) -> None:
        self.spec = spec
        self.facts = spec.facts
        self.raising = Raising(spec.facts, ANYTHING)
        self.known = every, late
        self.every: set[type[BaseException]] = set()
        self.late: set[type[BaseException]] = set()

    def block(self, body: list[gast.stmt], changed: bool) -> bool:
        """Was something changed once these statements ran?"""
        for s in body:
            changed = self._statement(s, changed)
        return changed

    def _statement(self, s: Any, changed: bool) -> bool:
        inner = blocks(s)
        parts = [s] if not inner else [n for n in gast.iter_child_nodes(s) if isinstance(n, gast.expr)]
        for part in parts:
            self._raised(part, changed)
        changed = changed or self._changes(s)
        arms = [self.block(arm, changed) for arm in inner]
        if isinstance(s, (gast.For, gast.While)) and any(arms):
            arms += [self.block(arm, True) for arm in inner]
        elif not isinstance(s, gast.If) and any(arms):
            for arm in inner[1:]:  # handlers, `finally`
                self.block(arm, True)
        return changed or any(arms)

    def _raised(self, part: Any, changed: bool) -> None:
        every, late = self.known
        for node in own_nodes(part):
            fact = self.facts.calls.get(node)
            found = every.get(fact.callee, frozenset(ANYTHING)) if fact is not None else frozenset(self._own(node))
            self.every |= found
            if changed:
                self.late |= found
            elif fact is not None:
                self.late |= late.get(fact.callee, frozenset())

    def _own(self, node: Any) -> Any:
        """What a part of a statement may raise by itself."""
        if isinstance(node, gast.Raise):
            return self._class_of(node.exc)
        if isinstance(node, gast.Attribute) and self.raising.type_of(node.value).kind in CONTAINERS:
            return ()
        if isinstance(node, gast.Call) and self._is_exception(node.func):
            return ()
        if isinstance(node, (gast.expr, gast.AugAssign)) and not isinstance(getattr(node, "ctx", None), gast.Param):
            return self.raising.of_node(node)
        return ()

    def _class_of(self, node: Any) -> Any:
        thing = node.func if isinstance(node, gast.Call) else node
        known = self.raising.type_of(thing).known if thing is not None else None
        return (known.value,) if known is not None and isinstance(known.value, type) else ANYTHING

    def _is_exception(self, node: gast.expr) -> bool:
        known = self.raising.type_of(node).known
        return known is not None and isinstance(known.value, type) and issubclass(known.value, BaseException)

    def _changes(self, s: gast.stmt) -> bool:
        seen = [site for site in self.facts.writes.get(s, ()) if not site.startswith(f"{self.spec.index}:")]
        return bool(seen) or bool(assigned(s) & set(self.spec.code.nonlocals)) and not blocks(s)
