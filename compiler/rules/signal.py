"""Convolution, differences, integrals along an axis, and polynomials."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import power_base_slope, restore
from pullback.runtime.reductions import (
    cumprod_adjoint,
    cumprod_tangent,
    diff_adjoint,
    reverse_cumsum,
)
from pullback.runtime.signal import (
    characteristic_adjoint,
    characteristic_tangent,
    convolve_adjoint,
    correlate_left_adjoint,
    correlate_right_adjoint,
    fit_places_adjoint,
    fit_tangent,
    fit_values_adjoint,
    gradient_adjoint,
    lengths_adjoint,
    poly_adjoint,
    poly_tangent,
    trapezoid_weights,
)


@rule(
    np.convolve,
    cases=[
        f"({n},) ({m},) mode='{mode}'"
        for n, m in ((5, 3), (3, 5), (4, 2), (2, 5), (4, 4))
        for mode in ("full", "same", "valid")
    ]
    + ["(3,) ()", "complex(4,) complex(3,)"],
)
def _(a, v, mode="full"):
    y = np.convolve(a, v, mode)

    y_dot = np.convolve(a_dot, v, mode) + np.convolve(a, v_dot, mode)

    a_bar += convolve_adjoint(y_bar, a, v, mode)
    v_bar += convolve_adjoint(y_bar, v, a, mode)


@rule(
    np.correlate,
    real=True,
    cases=[
        f"({n},) ({m},) mode='{mode}'"
        for n, m in ((5, 3), (3, 5), (4, 2), (2, 5), (4, 4))
        for mode in ("full", "same", "valid")
    ],
)
def _(a, v, mode="valid"):
    y = np.correlate(a, v, mode)

    y_dot = np.correlate(a_dot, v, mode) + np.correlate(a, v_dot, mode)

    a_bar += correlate_left_adjoint(y_bar, a, v, mode)
    v_bar += correlate_right_adjoint(y_bar, a, v, mode)


@rule(np.ediff1d, cases=["(4,)", "(2,3)"])
def _(ary):
    y = np.ediff1d(ary)

    y_dot = np.ediff1d(ary_dot)

    ary_bar += np.reshape(diff_adjoint(y_bar), np.shape(ary))


@rule(np.gradient, real=True, cases=[
    "(5,)", "(5,) 0.5", "(5,) grid(5,)", "(5,) edge_order=2", "(5,) grid(5,) edge_order=2", "(3,4)",
    "(3,4) axis=1", "(3,4) 0.5 2.0", "(3,4) grid(3,) grid(4,)", "(3,4) 2.0 axis=0",
    "(3,4) axis=(1,0)",
])
def _(f, *varargs, axis=None, edge_order=1):
    y = np.gradient(f, *varargs, axis=axis, edge_order=edge_order)

    y_dot = np.gradient(f_dot, *varargs, axis=axis, edge_order=edge_order)

    f_bar += gradient_adjoint(y_bar, np.shape(f), varargs, axis, edge_order)


@rule(np.trapezoid, cases=[
    "(4,)", "(2,4)", "(2,4) axis=0", "(4,) grid(4,)", "(2,4) grid(4,)", "(3,4) grid(3,) axis=0",
    "(2,4) (2,4)", "(4,) dx=0.5", "(4,) dx=pos()",
])
def _(y, x=None, dx=1.0, axis=-1):
    area = np.trapezoid(y, x, dx, axis)

    area_dot = np.sum(trapezoid_weights(y, x, dx, axis) * y_dot, axis)
    if x is None:
        area_dot = area_dot + dx_dot * np.trapezoid(y, axis=axis)
    else:
        area_dot = area_dot + np.trapezoid(y, x_dot, axis=axis)

    y_bar += restore(area_bar, axis) * trapezoid_weights(y, x, dx, axis)
    if x is None:
        dx_bar += np.sum(area_bar * np.trapezoid(y, axis=axis))
    else:
        x_bar += lengths_adjoint(area_bar, y, np.shape(x), axis)


@rule(np.unwrap, cases=["(6,)", "(2,4) axis=0", "(2,4)"])
def _(p, discont=None, axis=-1):
    y = np.unwrap(p, discont, axis)

    y_dot = 1.0 * p_dot

    p_bar += y_bar


@rule(np.vander, cases=["(3,)", "(3,) 4", "(3,) 4 increasing=True", "(3,) 2"])
def _(x, N=None, increasing=False):
    y = np.vander(x, N, increasing)

    powers = np.arange(y.shape[1]) if increasing else np.arange(y.shape[1])[::-1]
    y_dot = power_base_slope(x[:, None], powers) * x_dot[:, None]

    powers = np.arange(y.shape[1]) if increasing else np.arange(y.shape[1])[::-1]
    x_bar += np.sum(y_bar * power_base_slope(x[:, None], powers), axis=1)


# -------------------------------------------------------------------------------------- polynomials


@rule(np.polyval, cases=[
    "(3,) (4,)", "(3,) ()", "(1,) (2,3)", "(4,) (2,3)", "complex(3,) complex(2,)",
])
def _(p, x):
    y = np.polyval(p, x)

    y_dot = np.polyval(p_dot, x) + np.polyval(np.polyder(p), x) * x_dot

    x_bar += y_bar * np.polyval(np.polyder(p), x)
    p_bar += np.ravel(y_bar) @ np.vander(np.ravel(x), len(p))


@rule(np.polyadd, cases=["(3,) (2,)", "(2,) (4,)"])
def _(a1, a2):
    y = np.polyadd(a1, a2)

    y_dot = np.polyadd(a1_dot, a2_dot)

    a1_bar += y_bar[len(y) - len(a1):]
    a2_bar += y_bar[len(y) - len(a2):]


@rule(np.polysub, cases=["(3,) (2,)", "(2,) (4,)"])
def _(a1, a2):
    y = np.polysub(a1, a2)

    y_dot = np.polysub(a1_dot, a2_dot)

    a1_bar += y_bar[len(y) - len(a1):]
    a2_bar += -y_bar[len(y) - len(a2):]


@rule(np.polymul, cases=["(3,) (2,)", "(2,) (4,)"])
def _(a1, a2):
    y = np.polymul(a1, a2)

    y_dot = np.convolve(a1_dot, a2)[-len(y):] + np.convolve(a1, a2_dot)[-len(y):]

    whole = np.pad(y_bar, (np.size(a1) + np.size(a2) - 1 - len(y), 0))  # leading zeros are left out
    a1_bar += convolve_adjoint(whole, a1, a2)
    a2_bar += convolve_adjoint(whole, a2, a1)


@rule(np.polyder, cases=["(4,)", "(5,) 2"])
def _(p, m=1):
    y = np.polyder(p, m)

    y_dot = np.polyder(p_dot, m)

    p_bar += np.concatenate((y_bar * np.polyder(np.ones(len(p)), m), np.zeros(m)))


@rule(np.polyint, cases=["(3,)", "(3,) 2"])
def _(p, m=1):
    y = np.polyint(p, m)

    y_dot = np.polyint(p_dot, m)

    p_bar += y_bar[:len(p)] * np.polyint(np.ones(len(p)), m)[:len(p)]


@rule(np.polyfit, real=True, cases=[
    "grid(6,) (6,) 2", "grid(5,) (5,) 1", "grid(6,) (6,) 1 w=array([1.0,2.0,1.0,0.5,1.0,1.0])",
    "grid(6,) (6,2) 2",
])
def _(x, y, deg, *, w=None):
    c = np.polyfit(x, y, deg, w=w)

    c_dot = fit_tangent(x, y, c, deg, w, x_dot, y_dot)

    x_bar += fit_places_adjoint(c_bar, x, y, c, deg, w)
    y_bar += fit_values_adjoint(c_bar, x, deg, w)


@rule(np.poly, cases=["(3,)", "(1,)", "complex(3,)", "(3,3)", "(1,1)"])
def _(seq_of_zeros):
    y = np.poly(seq_of_zeros)

    if seq_of_zeros.ndim == 2:               # the characteristic polynomial of a matrix
        y_dot = characteristic_tangent(seq_of_zeros, y, seq_of_zeros_dot)
    else:
        y_dot = poly_tangent(seq_of_zeros, seq_of_zeros_dot)

    if seq_of_zeros.ndim == 2:
        seq_of_zeros_bar += characteristic_adjoint(y_bar, seq_of_zeros, y)
    else:
        seq_of_zeros_bar += poly_adjoint(y_bar, seq_of_zeros)


@rule(np.roots, may_turn=True, cases=["pos(4,)", "complex(4,)"])
def _(p):
    r = np.roots(p)

    r_dot = -np.polyval(p_dot, r) / np.polyval(np.polyder(p), r)

    p_bar += -(r_bar / np.polyval(np.polyder(p), r)) @ np.vander(r, len(p))


@rule(np.cumulative_sum, cases=["(3,)", "(2,3) axis=0", "(2,3) axis=1 include_initial=True"])
def _(x, *, axis=None, include_initial=False):
    y = np.cumulative_sum(x, axis=axis, include_initial=include_initial)

    y_dot = np.cumulative_sum(x_dot, axis=axis, include_initial=include_initial)

    kept = np.delete(y_bar, 0, -1 if axis is None else axis) if include_initial else y_bar
    x_bar += reverse_cumsum(kept, np.shape(x), axis)


@rule(np.cumulative_prod, cases=["(3,)", "(2,3) axis=0", "(2,3) axis=1 include_initial=True"])
def _(x, *, axis=None, include_initial=False):
    y = np.cumulative_prod(x, axis=axis, include_initial=include_initial)

    tangent = cumprod_tangent(x, x_dot, axis)
    y_dot = np.insert(tangent, 0, 0.0, -1 if axis is None else axis) if include_initial else tangent

    kept = np.delete(y_bar, 0, -1 if axis is None else axis) if include_initial else y_bar
    x_bar += cumprod_adjoint(kept, x, axis)
