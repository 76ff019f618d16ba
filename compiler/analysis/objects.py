"""What all parts of the interpreter share: facts, refusals, and the sites where memory is allocated."""

from dataclasses import replace
from typing import Any

import gast

from pullback.compiler.analysis.program import Code, Facts, Program, Spec
from pullback.compiler.analysis.values import OPAQUE, Value
from pullback.compiler.errors import DerivativeError


class Objects:
    """What all parts of the interpreter share."""

    facts: Facts
    statement: gast.stmt

    def __init__(self, program: Program, spec: Spec) -> None:
        self.program = program
        self.spec = spec
        self.code: Code = spec.code
        self.facts = spec.facts

    # the rest of the interpreter, defined in the derived classes
    value: Any
    element: Any
    arguments: Any
    bind_arguments: Any
    specialise: Any
    _specialised: Any
    attribute: Any
    run: Any
    outlives: Any
    bind: Any
    operate: Any
    apply: Any
    known_items: Any

    def varied(self, value: Value) -> bool:
        """Does the value depend on an active input?"""
        return self.program.is_varied(value)

    def refuse(self, node: Any, kind: str, problem: str, cause: str = "", advice: str = "") -> None:
        if getattr(node, "lineno", None) is None:
            node = self.statement
        self.program.refuse(self.code, node, kind, problem, cause, advice)

    def note(self, error: Exception) -> None:
        """Keep the refusals of another function's source."""
        if isinstance(error, DerivativeError):
            for d in error.diagnostics:
                place = (d.span.file, d.span.line, d.span.column, d.code) if d.span else ("", 0, 0, d.problem)
                self.program.problems.setdefault(place, d)

    def unsettled(self, node: Any, what: str) -> Value:
        """Refuse something whose type cannot be followed."""
        self.refuse(
            node,
            "unsettled",
            f"cannot follow {what}",
            "Its elements' types cannot be settled before the program runs.",
            "use a list or an array built by a loop",
        )
        return OPAQUE

    def site(self, node: gast.AST, kind: str) -> str:
        """The memory allocated at a place of this function's text."""
        name = self.site_name(node, kind)
        self.program.cell(name, kind)
        return name

    def site_name(self, node: gast.AST, kind: str) -> str:
        origin = getattr(node, "origin", node)
        number = self.spec.numbers.setdefault(origin, len(self.spec.numbers))
        return f"{self.spec.index}:{number}:{kind}"

    def made_active(self, node: gast.AST, kind: str) -> bool:
        """Was the container made at this place ever given an active value?"""
        site = self.site_name(node, kind)
        return site in self.program.heap and self.program._cell_varied(site, set())

    def unknown(self, node: gast.AST, *sources: Value) -> Value:
        """The inert result of a call that is not followed: memory of its own, or some that was passed."""
        given = [*sources, *(v.code for v in sources if isinstance(v.code, Value))]  # what an iterator yields
        passed = [self.program.reached(v) for v in given if not self.varied(v)]
        return replace(OPAQUE, sites=frozenset([self.site(node, "opaque")]).union(*passed))

    def changes(self, at: gast.AST, base: Value) -> None:
        """A statement changes the memory of a value."""
        self.changes_sites(at, set(base.sites))

    def changes_sites(self, at: gast.AST, sites: set[str]) -> None:
        old = self.facts.writes.get(at, frozenset())
        self.facts.writes[at] = old | frozenset(sites)
        if not sites <= self.spec.written:
            self.spec.written |= sites
            self.program.version += 1
