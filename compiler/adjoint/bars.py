"""Adjoints of expressions on their way down to variables, and what arrives there."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import gast
import numpy as np

from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.template import call, clone

NUMBERS = ("np.sum", "np.dot", "np.vdot", "np.mean", "masked_product", "divide_or_zero", "float", "complex")  # of numbers


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

    def as_number(self, named: bool = True) -> "Bar":
        """The adjoint of a number is one too: into an array without dimensions `+=` would write, for all who share it.

        `named`: a name or an item stands for a number.
        """
        made = _number(self.text, named)
        return self if made is self.text else replace(self, text=made)


@dataclass
class Contribution:
    """`place_bar += bar`: what one statement adds to the adjoint of a variable or of a part of one."""

    place: gast.expr
    text: gast.expr
    fresh: bool = False
    brief: gast.expr | None = None  # fewer entries, which adding to an array that is there repeats
    mirrored: bool = False  # the adjoint is there already, as a shadow


@dataclass
class Contributions:
    """Everything one statement adds, with the temporaries that have to be computed first."""

    prelude: list[gast.stmt] = field(default_factory=list)
    found: list[Contribution] = field(default_factory=list)
    loops: list[gast.stmt] = field(default_factory=list)  # in-place loops over the adjoints of a list
    helpers: dict[str, str] = field(default_factory=dict)


def _number(text: gast.expr, named: bool) -> gast.expr:
    if isinstance(text, (gast.Constant, gast.BinOp, gast.UnaryOp)) or named and isinstance(text, (gast.Name, gast.Subscript)):
        return text
    if isinstance(text, gast.IfExp):
        return gast.IfExp(text.test, _number(text.body, named), _number(text.orelse, named))
    function = printed(text.func).strip() if isinstance(text, gast.Call) else ""
    word = function.rpartition(".")[2]
    if function in NUMBERS or function.startswith("math.") or isinstance(getattr(np, word, None), np.ufunc):
        return text
    if word in ("real", "imag"):
        assert isinstance(text, gast.Call)
        return gast.Call(text.func, [_number(text.args[0], named)], [])
    if function.startswith("np."):
        return gast.Subscript(clone(text), gast.Tuple([], gast.Load()), gast.Load())
    return call("np.sum", clone(text))
