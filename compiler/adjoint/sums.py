"""Sums that undo broadcasting, over axes or as a product of vectors; and the axes that an index adds."""

from typing import Any

import gast

from pullback.compiler.adjoint.algebra import negated, number, without_sign
from pullback.compiler.ir.template import call, clone, constant, expression


def summed(text: gast.expr, axes: tuple[int, ...], keepdims: bool) -> Any:
    """np.sum(text, axis=0), or over more axes, or with them kept at length 1."""
    axis = constant(axes[0]) if len(axes) == 1 else gast.Tuple([constant(a) for a in axes], gast.Load())
    template = "np.sum(x, axis=a, keepdims=True)" if keepdims else "np.sum(x, axis=a)"
    return expression(template, x=text, a=axis)


def dotted(bar: gast.expr, factor: gast.expr) -> gast.expr:
    """The sum of bar * factor, for vectors."""
    positive = without_sign(bar)
    dot = call("np.dot", bar if positive is None else positive, factor)
    return dot if positive is None else negated(dot)


def is_factor(template: gast.expr, variable: str) -> bool:
    """Is the variable one of the factors that a product is made of, not a divisor?"""
    if isinstance(template, gast.Name):
        return template.id == variable
    if isinstance(template, gast.UnaryOp):
        return is_factor(template.operand, variable)
    if not isinstance(template, gast.BinOp) or not isinstance(template.op, (gast.Mult, gast.Div)):
        return False
    return is_factor(template.left, variable) or (
        isinstance(template.op, gast.Mult) and is_factor(template.right, variable)
    )


def with_new_axes(node: gast.expr) -> bool:
    """Is this x[:, None] or the like: all of x, with more axes?"""
    parts = node.slice.elts if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Tuple) else []
    new = [isinstance(p, gast.Constant) and p.value is None for p in parts]
    full = [isinstance(p, gast.Slice) and p.lower is p.upper is p.step is None for p in parts]
    return any(new) and all(a or b for a, b in zip(new, full))


def without_axes(bar: gast.expr, index: gast.Tuple) -> gast.expr:
    """The adjoint of x from that of x[index], which has more axes: index 0 where one was added."""
    kept = {k.arg: k.value for k in bar.keywords} if isinstance(bar, gast.Call) else {}
    axis = number(kept.get("axis"))
    added = [i for i, p in enumerate(index.elts) if isinstance(p, gast.Constant)]
    if isinstance(bar, gast.Call) and "keepdims" in kept and added == [axis]:  # made by `summed`
        return summed(bar.args[0], (axis,), False)
    parts = [constant(0) if i in added else clone(p) for i, p in enumerate(index.elts)]
    return gast.Subscript(bar, gast.Tuple(parts, gast.Load()), gast.Load())
