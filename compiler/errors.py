"""Refusals as data: a Diagnostic is where, what, why and the way out; it is rendered in one place."""

from dataclasses import dataclass

CONTEXT = 2  # source lines shown above the one that is refused


@dataclass(frozen=True)
class Span:
    """A place in a source text: one-based line, zero-based columns."""

    file: str
    line: int
    column: int = 0
    end: int = 0
    lines: tuple[str, ...] = ()  # the whole file's lines, where they are known


@dataclass(frozen=True)
class Diagnostic:
    """One problem: a short code, its place, the problem in a few words, the cause, the way out."""

    code: str
    problem: str
    span: Span | None = None
    cause: str = ""
    advice: str = ""

    def __str__(self) -> str:
        """The diagnostic as text: `file:line: problem`, source with a caret, cause, way out."""
        head = f"{self.span.file}:{self.span.line}: {self.problem}" if self.span else self.problem
        parts = [head]
        if self.span and 0 < self.span.line <= len(self.span.lines):
            parts += ["", *_excerpt(self.span), ""]
        if self.cause:
            parts.append(f"   {self.cause}")
        if self.advice:
            parts.append(f"   Way out: {self.advice}")
        return "\n".join(parts)


def _excerpt(span: Span) -> list[str]:
    first = max(1, span.line - CONTEXT)
    width = len(str(span.line))
    shown = [f"   {n:{width}} | {span.lines[n - 1].rstrip()}" for n in range(first, span.line + 1)]
    text = span.lines[span.line - 1].rstrip()
    end = span.end if span.column < span.end <= len(text) else len(text)
    caret = " " * span.column + "^" * max(1, end - span.column)
    return [*shown, f"   {' ' * width} | {caret}"]


class DerivativeError(Exception):
    """Base of every refusal. `diagnostics` holds all problems found, in source order."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics = diagnostics
        super().__init__(*diagnostics)

    def __str__(self) -> str:
        return "\n\n".join(str(d) for d in self.diagnostics)


class UnsupportedError(DerivativeError, NotImplementedError):
    """A construct, call or type on an active path that has no derivative here."""


class ArgumentError(DerivativeError, TypeError):
    """An argument, `wrt` or output that a derivative cannot be taken of."""


class SharedArgumentError(DerivativeError, ValueError):
    """The same memory was passed for two parameters, and one of them is written."""


class RuleError(DerivativeError, ValueError):
    """A derivative rule that does not read as one."""

    def __init__(self, problem: str) -> None:
        super().__init__(Diagnostic("rule", problem))
