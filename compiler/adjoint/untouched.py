"""Memory that a block has made and nothing has read since: overwriting it loses nothing that the reverse sweep wants.

`nxt = np.zeros(n); nxt[1:-1] = e`: the classes of memory do not tell the array that this round of a loop makes
from those of the rounds before, which other variables may hold. The order of the statements does: what was bound
before an array was made cannot hold it.
"""

from typing import Any

import gast

from pullback.compiler.adjoint.steps import Save, Step
from pullback.compiler.analysis.program import Spec
from pullback.compiler.analysis.reaching import Reaching
from pullback.compiler.ir.walk import blocks, every_statement


class Untouched:
    """Finds the writes into arrays that the reverse sweep has not read between their making and the write."""

    def __init__(self, spec: Spec, reaching: Reaching) -> None:
        self.spec = spec
        self.reaching = reaching

    def between(self, step: Step, save: Save) -> tuple[gast.stmt, list[gast.stmt]] | None:
        """The statement that made the array written to, and all that may run from there to the write; None: not known."""
        made = self._made(step.statement, save)
        found = self._region(self.spec.body, made, step.statement) if made is not None else None
        return (made, found) if made is not None and found is not None else None

    def may_hold(self, variable: str, at: gast.stmt, made: gast.stmt, between: list[gast.stmt]) -> bool:
        """May a variable have been bound since the array was made?"""
        if variable in self.spec.code.captured or variable in self.spec.code.nonlocals:
            return True
        return any(s is made or s in between for s in self._bound(variable, at))

    def _bound(self, variable: str, at: gast.stmt) -> list[gast.stmt | None]:
        return [s for name, s in self.reaching.before.get(at, frozenset()) if name == variable]

    def _made(self, at: gast.stmt, save: Save) -> gast.stmt | None:
        """The one statement that binds the variable that is written through, if it makes an array of its own."""
        bound = self._bound(save.base, at)
        value = self.spec.facts.before.get(at, {}).get(save.base)
        if len(bound) != 1 or value is None or value.kind != "array" or len(value.sites) != 1:
            return None
        made: Any = bound[0]
        if not isinstance(made, gast.Assign) or not isinstance(made.targets[0], gast.Name):
            return None
        number = self.spec.numbers.get(getattr(made.value, "origin", made.value))
        return made if value.sites == {f"{self.spec.index}:{number}:array"} else None

    def _region(self, body: list[gast.stmt], made: gast.stmt, at: gast.stmt) -> list[gast.stmt] | None:
        """What may run between two statements, the first of which stands in a block that holds the second."""
        if made not in body:
            inner = (self._region(block, made, at) for s in body for block in blocks(s))
            return next((found for found in inner if found is not None), None)
        following = body[body.index(made) + 1 :]
        last = next((s for s in following if at in every_statement([s])), None)
        if last is None:
            return None
        return every_statement(following[: following.index(last) + (last is not at)])
