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
