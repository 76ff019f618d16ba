"""scipy.integrate on samples. (quad and the solvers take functions; those are not primitives.)"""

import numpy as np
from scipy import integrate

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import restore
from pullback.runtime.signal import (
    cumulative_adjoint,
    dyadic_levels,
    lengths_adjoint,
    sample_weights,
    simpson_weights,
    trapezoid_weights,
)


@rule(integrate.trapezoid, cases=[
    "(4,)", "(2,4) axis=0", "(4,) grid(4,)", "(2,4) grid(4,)", "(4,) dx=pos()",
])
def _(y, x=None, dx=1.0, axis=-1):
    area = integrate.trapezoid(y, x, dx, axis)

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


@rule(integrate.simpson, cases=[
    "(5,)", "(4,)", "(2,5)", "(5,2) axis=0", "(5,) dx=0.5", "(5,) x=array([0.0,0.5,1.5,2.0,3.0])",
    "(1,)", "(2,)", "(3,)", "(8,)", "(6,2) x=array([0.0,0.5,1.5,2.0,3.0,3.2]) axis=0", "(2,4) x=still(2,4)",
    "(5,2) still(5,2) axis=0", "(2,2) still(2,2)",
])
def _(y, x=None, *, dx=1.0, axis=-1):
    area = integrate.simpson(y, x, dx=dx, axis=axis)

    area_dot = integrate.simpson(y_dot, x, dx=dx, axis=axis)

    y_bar += restore(area_bar, axis) * simpson_weights(y, x, dx, axis)


@rule(integrate.romb, cases=["(5,)", "(2,5) 0.5", "(5,2) axis=0", "(2,)", "(9,) 0.3"])
def _(y, dx=1.0, axis=-1):
    area = integrate.romb(y, dx, axis)

    area_dot = integrate.romb(y_dot, dx, axis)

    levels = dyadic_levels(np.shape(y)[axis])
    weights = (integrate.romb(levels, dx) / np.sum(levels, axis=1)) @ levels
    y_bar += restore(area_bar, axis) * sample_weights(weights, y, axis)


@rule(integrate.cumulative_trapezoid, cases=[
    "(4,)", "(4,) initial=0", "(2,4) axis=0", "(4,) array([0.0,0.5,1.5,2.0])",
    "(2,4) array([0.0,0.5,1.5,2.0])", "(2,4) dx=0.5 axis=1",
])
def _(y, x=None, dx=1.0, axis=-1, initial=None):
    area = integrate.cumulative_trapezoid(y, x, dx, axis, initial)

    area_dot = integrate.cumulative_trapezoid(y_dot, x, dx, axis, initial)

    y_bar += cumulative_adjoint(area_bar, y, x, dx, axis, initial)
