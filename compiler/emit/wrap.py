"""Breaks one logical line of Python, where its printer allows, so that it fits in 88 columns.

    x_bar += z_bar * y * np.cos(theta) + w_bar * a      (if that were too long)
→
    x_bar += (
        z_bar * y * np.cos(theta)
        + w_bar * a
    )
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

STEP = 4  # columns of one indentation


@dataclass(frozen=True)
class Break:
    """A place for a new line, `depth` steps in; `flat` stands there while the group is whole."""

    flat: str = ""
    depth: int = 0


@dataclass(frozen=True)
class IfBroken:
    """Text that appears only if the group around it is broken: optional brackets, last commas."""

    text: str


# filled: breaks only where the next item does not fit, as for numbers;
# rows: is broken whenever the group around it is, as for the rows of a matrix.
Style = Literal["fit", "filled", "rows"]


@dataclass(frozen=True)
class Group:
    """Parts that stay on one line if they fit; otherwise all its breaks are new lines."""

    parts: tuple["Part", ...]
    indent: int = 0
    style: Style = "fit"

    @cached_property
    def flat(self) -> str:
        """The group on one line."""
        return "".join(map(_flat, self.parts))

    @cached_property
    def head(self) -> tuple[int, bool]:
        """The columns up to the first break, and whether there is one."""
        return _head(self.parts, 0)


Part = str | Break | IfBroken | Group


def wrapped(parts: Sequence[Part], indent: int, width: int) -> str:
    """The text of one logical line that starts at column `indent`."""
    line = Group(tuple(parts))
    if indent + len(line.flat) <= width:
        return " " * indent + line.flat
    layout = _Layout(width, indent)
    layout.broken(line, indent, 0)
    return "".join(layout.out)


class _Layout:
    def __init__(self, width: int, indent: int) -> None:
        self.width = width
        self.column = indent
        self.out = [" " * indent]

    def write(self, text: str) -> None:
        self.out.append(text)
        self.column += len(text)

    def new_line(self, indent: int) -> None:
        self.out.append("\n" + " " * indent)
        self.column = indent

    def place(self, part: Part, base: int, after: int) -> None:
        if isinstance(part, Group):
            fits = self.column + len(part.flat) + after <= self.width
            if fits and part.style != "rows":
                self.write(part.flat)
            else:
                self.broken(part, base + STEP * part.indent, after)
        elif isinstance(part, Break):
            self.new_line(base + STEP * part.depth)
        else:
            self.write(part if isinstance(part, str) else part.text)

    def broken(self, group: Group, base: int, after: int) -> None:
        for i, part in enumerate(group.parts):
            columns, ends = _head(group.parts, i + 1)
            trailing = columns if ends else columns + after
            if group.style == "filled" and isinstance(part, Break):
                if self.column + len(part.flat) + trailing <= self.width:
                    self.write(part.flat)
                    continue
            self.place(part, base, trailing)


def _flat(part: Part) -> str:
    if isinstance(part, str):
        return part
    return "" if isinstance(part, IfBroken) else part.flat


def _head(parts: Sequence[Part], start: int) -> tuple[int, bool]:
    columns = 0
    for part in islice(parts, start, None):
        if isinstance(part, Break):
            return columns, True
        if isinstance(part, Group):
            inner, ends = part.head
            columns += inner
            if ends:
                return columns, True
        else:
            columns += len(part if isinstance(part, str) else part.text)
    return columns, False
