"""Prints the patterns of `match` statements."""

from collections.abc import Iterable

import gast

from pullback.compiler.emit.expressions import ExpressionPrinter, expression_text


class PatternPrinter(ExpressionPrinter):
    """`case Point(x=0.0, y=[first, *_]) | {"x": 1, **rest} as found`, never broken into lines."""

    def joined(self, patterns: Iterable[gast.AST], separator: str = ", ") -> None:
        for i, pattern in enumerate(patterns):
            self.write(separator if i else "")
            self.dispatch(pattern)

    def closed(self, t: gast.AST) -> None:
        """A pattern inside `|` or before `as`."""
        bracketed = isinstance(t, gast.MatchOr) or isinstance(t, gast.MatchAs) and t.pattern
        self.write("(" if bracketed else "")
        self.dispatch(t)
        self.write(")" if bracketed else "")

    def _MatchValue(self, t: gast.MatchValue) -> None:
        self.write(expression_text(t.value))

    def _MatchSingleton(self, t: gast.MatchSingleton) -> None:
        self.write(repr(t.value))

    def _MatchSequence(self, t: gast.MatchSequence) -> None:
        self.write("[")
        self.joined(t.patterns)
        self.write("]")

    def _MatchMapping(self, t: gast.MatchMapping) -> None:
        self.write("{")
        for i, (key, pattern) in enumerate(zip(t.keys, t.patterns)):
            self.write(", " if i else "")
            self.write(expression_text(key))
            self.write(": ")
            self.dispatch(pattern)
        if t.rest is not None:
            self.write(f"{', ' if t.keys else ''}**{t.rest}")
        self.write("}")

    def _MatchClass(self, t: gast.MatchClass) -> None:
        self.dispatch(t.cls)
        self.write("(")
        self.joined(t.patterns)
        for i, (name, pattern) in enumerate(zip(t.kwd_attrs, t.kwd_patterns)):
            self.write(", " if i or t.patterns else "")
            self.write(f"{name}=")
            self.dispatch(pattern)
        self.write(")")

    def _MatchStar(self, t: gast.MatchStar) -> None:
        self.write(f"*{t.name or '_'}")

    def _MatchAs(self, t: gast.MatchAs) -> None:
        if t.pattern is not None:
            if isinstance(t.pattern, gast.MatchOr):
                self.dispatch(t.pattern)
            else:
                self.closed(t.pattern)
            self.write(" as ")
        self.write(t.name or "_")

    def _MatchOr(self, t: gast.MatchOr) -> None:
        for i, pattern in enumerate(t.patterns):
            self.write(" | " if i else "")
            self.closed(pattern)
