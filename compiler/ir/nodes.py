"""Nodes that Python's grammar lacks: layout, and what passes are spared by seeing a `try` as a branch."""

from typing import Any

import gast


class Comment(gast.stmt):
    """Comment("5: y = x * x") prints as `# 5: y = x * x`, one comment for each line of text."""

    _fields = ("text",)
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __init__(self, text: str = "") -> None:
        self.text = text


class Blank(gast.stmt):
    """An empty line."""

    _fields = ()
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __init__(self) -> None:
        pass


class Let(gast.expr):
    """Let([a := f(x)], a * a): the bindings are evaluated in order, then the value; only before flattening."""

    _fields = ("bindings", "value")
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __init__(self, bindings: list[gast.expr] | None = None, value: gast.expr | None = None) -> None:
        self.bindings = bindings or []
        self.value = value


class Attempt(gast.If):
    """Attempt(ok, [y = log(x), ok = True, z = y], [ok = False, z = 0.0], catch=ValueError):

        try:                            To every pass this is `if ok:` with a test that is known once it
            y = log(x)                  ran: what is tried is done as a whole or not at all.
            ok = True
        except ValueError:
            ok = False
            z = 0.0
        else:
            z = y
    """

    _fields = ("test", "body", "orelse", "catch", "name")
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __init__(
        self,
        test: gast.Name | None = None,
        body: list[gast.stmt] | None = None,
        orelse: list[gast.stmt] | None = None,
        catch: gast.expr | None = None,
        name: gast.Name | None = None,
    ) -> None:
        self.test = test
        self.body = body or []
        self.orelse = orelse or []
        self.catch = catch
        self.name = name

    @property
    def tried(self) -> int:
        """How many statements of the body are inside `try`: all up to the one that sets the flag."""
        flags = [_target(s) == self.test.id for s in self.body]  # type: ignore[union-attr]
        return flags.index(True) + 1


class Finally(gast.With):
    """Finally([], body, orelse): the body, then `orelse`, which runs after an exception too.

    failing: what runs after an exception instead, with the exception as the variable `error`.
    """

    _fields = ("items", "body", "orelse", "failing")
    _attributes = ("lineno", "col_offset", "end_lineno", "end_col_offset")

    def __init__(
        self,
        items: list[gast.withitem] | None = None,
        body: list[gast.stmt] | None = None,
        orelse: list[gast.stmt] | None = None,
        error: str = "",
        failing: list[gast.stmt] | None = None,
    ) -> None:
        self.items = items or []
        self.body = body or []
        self.orelse = orelse or []
        self.error = error
        self.failing = failing or []


def as_try(s: Attempt | Finally, body: list[gast.stmt], orelse: list[gast.stmt], tried: int = 0) -> gast.Try:
    """The statement as Python has it, around these blocks."""
    if isinstance(s, Attempt):
        handler = gast.ExceptHandler(s.catch, s.name, orelse or [gast.Pass()])
        return gast.Try(body[:tried], [handler], body[tried:], [])
    body = body or [gast.Pass()]
    if not s.failing:
        return gast.Try(body, [], [], orelse or [gast.Pass()])
    error = gast.Name(s.error, gast.Store(), None, None)
    caught = gast.Name("BaseException", gast.Load(), None, None)
    return gast.Try(body, [gast.ExceptHandler(caught, error, [*s.failing, gast.Raise(None, None)])], orelse, [])


def _target(s: gast.stmt) -> str | None:
    target = s.targets[0] if isinstance(s, gast.Assign) else None
    return target.id if isinstance(target, gast.Name) else None


def stands_alike(new: Any, old: Any) -> Any:
    """An expression in place of another, with its mark as a container that stands for something else."""
    if hasattr(old, "stands_for") and not hasattr(new, "stands_for"):
        new.stands_for = old.stands_for
    return new
