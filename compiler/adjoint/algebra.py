"""Products of an adjoint and a partial derivative, written the way one would by hand.

scaled(z_bar, 1.0)      →  z_bar
scaled(z_bar, 1.0 / y)  →  z_bar / y
scaled(z_bar, -x / y)   →  -z_bar * x / y
"""

import math
from typing import Any

import gast

from pullback.compiler.ir.template import clone, constant, expression


def scaled(bar: gast.expr, partial: gast.expr) -> gast.expr:
    """`bar * partial`, simplified where no value changes."""
    value = number(partial)
    if value == 1.0:
        return bar
    if value == -1.0:
        return negated(bar)
    if isinstance(partial, gast.UnaryOp) and isinstance(partial.op, gast.USub):
        return negated(scaled(bar, partial.operand))
    if isinstance(partial, gast.BinOp) and isinstance(partial.op, gast.Div):
        return gast.BinOp(scaled(bar, partial.left), gast.Div(), partial.right)
    if isinstance(partial, gast.BinOp) and isinstance(partial.op, gast.Mult):
        return scaled(scaled(bar, partial.left), partial.right)
    if number(bar) == 1.0:
        return partial
    return gast.BinOp(bar, gast.Mult(), partial) if value is None else _with_number(bar, partial)


class DoublingFirst(gast.NodeTransformer):
    """a * b * 2.0 → a * 2.0 * b for powers of two, which change no digit wherever they stand."""

    def visit_Call(self, node: gast.Call) -> gast.expr:
        return node  # its arguments are as the program has them

    def visit_BinOp(self, node: gast.BinOp) -> gast.expr:
        self.generic_visit(node)
        return _with_number(node.left, node.right) if isinstance(node.op, gast.Mult) and _doubles(node.right) else node


def _doubles(node: gast.expr) -> bool:
    """Is it a power of two?"""
    value = number(node)
    return bool(value) and abs(math.frexp(value)[0]) == 0.5


def _with_number(bar: gast.expr, factor: gast.expr) -> gast.expr:
    """a * b * 2.0 → a * 2.0 * b: where a is a number, one pass over an array less; a * 0.5 * 2.0 → a"""
    if not isinstance(bar, gast.BinOp) or not isinstance(bar.op, (gast.Mult, gast.Div)):
        return gast.BinOp(bar, gast.Mult(), factor)
    if number(bar.right) is None:
        return gast.BinOp(_with_number(bar.left, factor), bar.op, bar.right)
    if isinstance(bar.op, gast.Mult) and _doubles(bar.right) and _doubles(factor):
        product = number(bar.right) * number(factor)
        return bar.left if product == 1.0 else gast.BinOp(bar.left, gast.Mult(), constant(product))
    return gast.BinOp(bar, gast.Mult(), factor)


def negated(node: gast.expr) -> gast.expr:
    """-node; a product's sign goes to its first factor."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return node.operand
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        return gast.BinOp(negated(node.left), node.op, node.right)
    if isinstance(node, gast.Constant) and isinstance(node.value, (int, float)) and node.value != 0:
        return constant(-node.value)
    return gast.UnaryOp(gast.USub(), node)


def number(node: Any) -> Any:
    """The value of a literal number, its sign included; else None."""
    if isinstance(node, gast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        inner = number(node.operand)
        return None if inner is None else -inner
    return None


def added(terms: list[gast.expr]) -> gast.expr:
    """The sum of contributions, a negative one subtracted, one that comes twice doubled."""
    if len(terms) == 2 and gast.dump(terms[0]) == gast.dump(terms[1]):
        return _with_number(terms[0], constant(2.0))
    total = terms[0]
    for term in terms[1:]:
        positive = without_sign(term)
        if positive is not None:
            total = gast.BinOp(total, gast.Sub(), positive)
        else:
            total = gast.BinOp(total, gast.Add(), term)
    return total


def without_sign(node: gast.expr) -> gast.expr | None:
    """The expression whose negative this is, if it is written as one."""
    if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
        return node.operand
    if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Mult, gast.Div)):
        left = without_sign(node.left)
        return None if left is None else gast.BinOp(left, node.op, node.right)
    if isinstance(node, gast.Constant) and type(node.value) in (int, float) and node.value < 0:
        return constant(-node.value)
    return None


def power(base: gast.expr, exponent: Any) -> gast.expr | None:
    """d(base ** exponent)/d(base) for a literal exponent, where it needs no care at 0; else None."""
    if type(exponent) not in (int, float):
        return None
    if exponent == 2:
        return expression("2.0 * x", x=clone(base))
    if exponent == 1:
        return constant(1.0)
    if exponent == 0:
        return constant(0.0)
    if exponent > 2:
        rest: Any = exponent - 1
        return expression("n * x ** m", x=clone(base), n=constant(float(exponent)), m=constant(rest))
    return None
