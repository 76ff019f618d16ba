"""Rules of the runtime's own functions, which first derivatives name: what a second derivative
needs.

Slopes that are flat between jumps are constants; an adjoint that only moves entries has the
original function as its adjoint; the slope of a number has a symmetric derivative, so tangent and
adjoint are one map. Helpers that are plain NumPy have no rule here: the compiler reads their text.
"""

import math

import numpy as np

from pullback.compiler.rules.language import constant, elementwise, rule
from pullback.runtime.arrays import (
    beyond_rounding,
    count,
    divide_or_zero,
    expand,
    ieee_divide,
    is_basic,
    laid_out,
    logaddexp_slope,
    masked_product,
    power_base_slope,
    power_exponent_slope,
    power_mixed_slope,
    restore,
    sign,
    sinc_curvature,
    sinc_slope,
    unbroadcast,
)
from pullback.runtime.fourier import dual_norm, transform_axes
from pullback.runtime.linalg import (
    cofactors,
    cofactors_tangent,
    norm_slope,
    norm_slope_tangent,
)
from pullback.runtime.reductions import (
    axes_of,
    diff_adjoint,
    extremum_shares,
    freedom,
    products_of_others,
    products_tangent,
    quantile_adjoint,
    quantile_shares,
    quantile_tangent,
    reverse_cumsum,
)
from pullback.runtime.selection import (
    clip_high_slope,
    clip_low_slope,
    clip_slope,
    diagonal_adjoint,
    put_along,
    take_adjoint,
)
from pullback.runtime.shaping import (
    concatenate_parts,
    gathered,
    numbered,
    pad_adjoint,
    pad_options,
    repeat_adjoint,
    stack_parts,
    tile_adjoint,
    ungathered,
)

constant(
    sign,
    count,
    is_basic,
    extremum_shares,
    quantile_shares,
    clip_slope,
    clip_low_slope,
    clip_high_slope,
    dual_norm,
    transform_axes,
    axes_of,
    freedom,
    numbered,
)

# ---------------------------------------------------------------------- broadcasting and reductions


@rule(laid_out, flat=("like",), cases=["(2,3) still(2,3)", "() still(2,3)"])
def _(values, like):
    y = laid_out(values, like)

    y_dot = laid_out(values_dot, like)

    values_bar += unbroadcast(y_bar, np.shape(values))


@rule(unbroadcast, cases=["(2,3) (3,)", "(2,3) (2,1)", "(5,2,3) ()", "() (3,)", "(3,) (3,)"])
def _(bar, shape):
    y = unbroadcast(bar, shape)

    y_dot = unbroadcast(bar_dot, shape)

    bar_bar += unbroadcast(y_bar, np.shape(bar))


@rule(restore, view=True, cases=["(3,) 1", "(3,) (0,2)", "()", "(3,1) 1 True"])
def _(bar, axis=None, keepdims=False):
    y = restore(bar, axis, keepdims)

    y_dot = restore(bar_dot, axis, keepdims)

    if axis is None or keepdims:
        bar_bar += y_bar
    else:
        bar_bar += np.squeeze(y_bar, axis)


@rule(expand, cases=["() (2,3)", "(3,) (2,3) 0", "(2,1) (2,3) 1 True", "() ()"])
def _(bar, shape, axis=None, keepdims=False):
    y = expand(bar, shape, axis, keepdims)

    y_dot = expand(bar_dot, shape, axis, keepdims)

    bar_bar += np.sum(y_bar, axis, keepdims=keepdims)


@rule(reverse_cumsum, cases=["(6,) (2,3)", "(2,3) (2,3) 1"])
def _(bar, shape, axis=None):
    y = reverse_cumsum(bar, shape, axis)

    y_dot = reverse_cumsum(bar_dot, shape, axis)

    bar_bar += np.cumsum(y_bar, axis)


@rule(diff_adjoint, cases=["(3,)", "(2,3) 2 0"])
def _(bar, n=1, axis=-1):
    y = diff_adjoint(bar, n, axis)

    y_dot = diff_adjoint(bar_dot, n, axis)

    bar_bar += np.diff(y_bar, n, axis)


@rule(quantile_adjoint, cases=[
    "() array([1.0,3.0,2.0]) 0.4", "(2,) array([[1.0,3.0,2.0],[4.0,1.0,0.0]]) 0.5 1",
])
def _(bar, a, q, axis=None, keepdims=False, method="linear"):
    y = quantile_adjoint(bar, a, q, axis, keepdims, method)

    y_dot = quantile_adjoint(bar_dot, a, q, axis, keepdims, method)

    bar_bar += quantile_tangent(y_bar, a, q, axis, keepdims, method)


@rule(products_of_others, cases=["(4,)", "(2,3) axis=1", "(2,3)"])
def _(a, axis=None):
    y = products_of_others(a, axis)

    y_dot = products_tangent(a, a_dot, axis)

    a_bar += products_tangent(a, y_bar, axis)


# ---------------------------------------------------------------------------- slopes entry by entry


@elementwise(masked_product, singular=True)
def _(bar, partial):
    return np.where(np.isfinite(partial), partial, 0.0), bar


@elementwise(divide_or_zero, domain=(0.5, 2.0), singular=True)
def _(x, y, *, z):
    return divide_or_zero(1.0, y), divide_or_zero(-z, y)


@elementwise(beyond_rounding, domain=(0.5, 2.0))
def _(spread, mean, *, z):
    return np.where(z == 0.0, 0.0, 1.0), None


@elementwise(ieee_divide, domain=(0.5, 2.0), singular=True, cases=["() ()"])
def _(x, y, *, z):
    return ieee_divide(1.0, y), ieee_divide(-z, y)


@elementwise(power_base_slope, domain=(0.5, 2.0), singular=True)
def _(x, y):
    return y * power_base_slope(x, y - 1.0), power_mixed_slope(x, y)


@elementwise(power_exponent_slope, domain=(0.5, 2.0), singular=True)
def _(x, y, z):
    return divide_or_zero(z, x), 0.0, power_exponent_slope(x, y, 1.0)


@elementwise(logaddexp_slope, cases=["() ()", "(3,) (3,)", "(2,3) (3,) 2.0"])
def _(x, y, base=math.e, *, z):
    return z * (1.0 - z) * math.log(base), -z * (1.0 - z) * math.log(base)


@elementwise(sinc_slope)
def _(x):
    return sinc_curvature(x)


@rule(norm_slope, cases=[
    "(3,)", "(2,3)", "(2,3) axis=1", "(2,3) ord='fro'", "(3,) ord=3", "(3,) ord=1",
    "(2,3) ord=2.5 axis=0",
])
def _(x, ord=None, axis=None):
    y = norm_slope(x, ord, axis)

    y_dot = norm_slope_tangent(x, x_dot, ord, axis)

    x_bar += norm_slope_tangent(x, y_bar, ord, axis)


@rule(cofactors, cases=["reg(3,3)", "reg(2,3,3)"])
def _(a):
    y = cofactors(a)

    y_dot = cofactors_tangent(a, a_dot)

    a_bar += cofactors_tangent(a, y_bar)


# ------------------------------------------------------------------------------------ entries moved


@rule(take_adjoint, cases=["(2,) (4,) [1,1]", "(2,2) (2,3) [0,2] 1", "() (4,) 2"])
def _(bar, shape, indices, axis=None):
    y = take_adjoint(bar, shape, indices, axis)

    y_dot = take_adjoint(bar_dot, shape, indices, axis)

    bar_bar += np.take(y_bar, indices, axis)


@rule(put_along, cases=["(2,2) (2,3) array([[0,0],[2,1]]) 1"])
def _(bar, shape, indices, axis=-1):
    y = put_along(bar, shape, indices, axis)

    y_dot = put_along(bar_dot, shape, indices, axis)

    bar_bar += np.take_along_axis(y_bar, indices, axis)


@rule(diagonal_adjoint, cases=["(3,) (3,3)", "(2,3) (2,3,3) 0 1 2", "(1,) (3,3)"])
def _(bar, shape, offset=0, axis1=0, axis2=1):
    y = diagonal_adjoint(bar, shape, offset, axis1, axis2)

    y_dot = diagonal_adjoint(bar_dot, shape, offset, axis1, axis2)

    bar_bar += unbroadcast(np.diagonal(y_bar, offset, axis1, axis2), np.shape(bar))


@rule(concatenate_parts, flat=("arrays",), cases=["(5,) [array([1.0,2.0]),array([1.0,2.0,3.0])]"])
def _(bar, arrays, axis=0):
    parts = concatenate_parts(bar, arrays, axis)

    parts_dot = concatenate_parts(bar_dot, arrays, axis)

    bar_bar += np.concatenate(parts_bar, axis)


@rule(stack_parts, flat=("arrays",), cases=["(2,3) [array([1.0,2.0,3.0]),array([1.0,2.0,3.0])] atleast_2d 0"])
def _(bar, arrays, lift, axis):
    parts = stack_parts(bar, arrays, lift, axis)

    parts_dot = stack_parts(bar_dot, arrays, lift, axis)

    bar_bar += np.concatenate([lift(p) for p in parts_bar], axis)


@rule(tile_adjoint, cases=["(6,) (3,) 2", "(2,6) (3,) (2,2)"])
def _(bar, shape, reps):
    y = tile_adjoint(bar, shape, reps)

    y_dot = tile_adjoint(bar_dot, shape, reps)

    bar_bar += np.tile(y_bar, reps)


@rule(repeat_adjoint, cases=["(6,) (3,) 2", "(2,3) (2,2) [1,2] 1"])
def _(bar, shape, repeats, axis=None):
    y = repeat_adjoint(bar, shape, repeats, axis)

    y_dot = repeat_adjoint(bar_dot, shape, repeats, axis)

    bar_bar += np.repeat(y_bar, repeats, axis)


@rule(gathered, cases=["(4,) array([0,2,2,5]) (3,)", "(4,) array([0,2,2,5]) (3,) 3"])
def _(bar, origins, shape, first=0):
    y = gathered(bar, origins, shape, first)

    y_dot = gathered(bar_dot, origins, shape, first)

    bar_bar += ungathered(y_bar, origins, first)


@rule(pad_adjoint, cases=["(5,) (2,) (1,2)", "(6,) (3,) (1,2) 'edge'", "(7,) (4,) (1,2) 'reflect' 'odd'"])
def _(bar, shape, pad_width, mode="constant", reflect_type="even"):
    y = pad_adjoint(bar, shape, pad_width, mode, reflect_type)

    y_dot = pad_adjoint(bar_dot, shape, pad_width, mode, reflect_type)

    bar_bar += np.pad(y_bar, pad_width, mode, **pad_options(mode, 0.0, reflect_type))
