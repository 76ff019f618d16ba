"""Adjoints of expressions on their way down to variables, and what arrives there."""

from collections.abc import Callable
from dataclasses import dataclass, field

import gast

from pullback.compiler.ir.template import clone


@dataclass(frozen=True)
class Bar:
    """The adjoint of an expression.

    `spread`: the text has fewer entries than the expression's value and stands for its broadcast;
    `whole` then makes the text that spells it out, when that is asked for.
    """

    text: gast.expr
    spread: bool = False
    whole: Callable[[], gast.expr] | None = None
    fresh: bool = False  # the text makes a new array, which whoever receives it may write to
    masked: bool = False  # entries may be 0 because they were masked

    def spelled_out(self) -> gast.expr:
        return self.whole() if self.spread and self.whole is not None else clone(self.text)


@dataclass
class Contribution:
    """`place_bar += bar`: what one statement adds to the adjoint of a variable or of a part of one."""

    place: gast.expr
    text: gast.expr
    fresh: bool = False
    brief: gast.expr | None = None  # fewer entries, which adding to an array that is there repeats


@dataclass
class Contributions:
    """Everything one statement adds, with the temporaries that have to be computed first."""

    prelude: list[gast.stmt] = field(default_factory=list)
    found: list[Contribution] = field(default_factory=list)
    loops: list[gast.stmt] = field(default_factory=list)  # in-place loops over the adjoints of a list
    helpers: dict[str, str] = field(default_factory=dict)
