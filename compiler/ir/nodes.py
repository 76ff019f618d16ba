"""Two statements that Python's grammar lacks: layout travels in the tree, not beside it."""

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
