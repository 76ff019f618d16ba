"""Functions that work entry by entry: a rule is the partial derivatives.

Partials are written so that nothing raises where the function did not: `np.divide` stands where a
Python float may be zero, products stand for powers (`x ** 2` overflows, `x * x` is inf). Constants
are Python floats (`math.log`), which leave float32 arrays float32. `singular` marks partials that
can be infinite, or products with an infinite operand: a masked cotangent must not meet them.
"""

import builtins
import math
import operator

import numpy as np

from pullback.compiler.rules.language import elementwise, rule
from pullback.runtime.arrays import (
    bessel_i1,
    divide_or_zero,
    kaiser_slope,
    logaddexp_slope,
    power_base_slope,
    power_exponent_slope,
    sinc_slope,
    unbroadcast,
)

# --------------------------------------------------------------------------------------- arithmetic


@elementwise(operator.add, np.add)
def _(x, y):
    return 1.0, 1.0


@elementwise(operator.sub, np.subtract)
def _(x, y):
    return 1.0, -1.0


@elementwise(operator.mul, np.multiply, singular=True)
def _(x, y):
    return y, x


@elementwise(operator.truediv, domain=(0.5, 2.0), singular=True)
def _(x, y, *, z):
    return 1.0 / y, -z / y  # not x / (y * y), whose divisor underflows long before y does


@elementwise(np.divide, domain=(0.5, 2.0), singular=True)
def _(x, y, *, z):
    return np.divide(1.0, y), np.divide(-z, y)


@elementwise(operator.neg, np.negative)
def _(x):
    return -1.0


@elementwise(operator.pos, np.positive, float)
def _(x):
    return 1.0


@elementwise(operator.pow, builtins.pow, np.power, np.float_power, domain=(0.5, 2.0), singular=True)
def _(x, y, *, z):
    return power_base_slope(x, y), power_exponent_slope(x, y, z)


@elementwise(np.square, singular=True)
def _(x):
    return 2.0 * x


@elementwise(np.reciprocal, domain=(0.5, 2.0), singular=True)
def _(x, *, z):
    return -z * z


@elementwise(operator.mod, domain=(1.2, 1.8), singular=True)
def _(x, y):
    return 1.0, -(x // y)


@elementwise(np.remainder, domain=(1.2, 1.8), singular=True)
def _(x1, x2):
    return 1.0, -np.floor_divide(x1, x2)


@elementwise(np.fmod, domain=(1.2, 1.8), singular=True)
def _(x, y):
    return 1.0, -np.trunc(np.divide(x, y))


@elementwise(np.hypot, singular=True)
def _(x, y, *, z):
    return divide_or_zero(x, z), divide_or_zero(y, z)


# --------------------------------------------------------------------------- absolute value, choice


@elementwise(operator.abs, builtins.abs, np.absolute, conjugates=True)
def _(x):
    return np.sign(x)


@elementwise(np.fabs)
def _(x):
    return np.sign(x)


@elementwise(np.maximum, real=True)
def _(x, y):
    return (x > y) + 0.5 * (x == y), (y > x) + 0.5 * (x == y)


@elementwise(np.minimum, real=True)
def _(x, y):
    return (x < y) + 0.5 * (x == y), (y < x) + 0.5 * (x == y)


@elementwise(np.fmax, real=True)  # a nan loses against a number
def _(x, y):
    return (x > y) + 0.5 * (x == y) + np.isnan(y), (y > x) + 0.5 * (x == y) + np.isnan(x)


@elementwise(np.fmin, real=True)
def _(x, y):
    return (x < y) + 0.5 * (x == y) + np.isnan(y), (y < x) + 0.5 * (x == y) + np.isnan(x)


@elementwise(np.copysign)
def _(x, y):
    return np.copysign(1.0, y) * np.sign(x), None


@elementwise(np.ldexp, cases=["(3,) int", "() int"])
def _(x1, x2):
    return np.ldexp(1.0, x2), None


@elementwise(np.nextafter)
def _(x1, x2):
    return 1.0, None


# --------------------------------------------------------------------------- roots, exp, logarithms


@elementwise(np.sqrt, domain=(0.5, 2.0), singular=True)
def _(x, *, z):
    return 0.5 / z


@elementwise(np.cbrt, domain=(0.5, 2.0), singular=True)
def _(x, *, z):
    return 1.0 / (3.0 * z * z)


@elementwise(np.exp, singular=True)
def _(x, *, z):
    return z


@elementwise(np.exp2, singular=True)
def _(x, *, z):
    return math.log(2.0) * z


@elementwise(np.expm1, singular=True)
def _(x, *, z):
    return z + 1.0


@elementwise(np.log, domain=(0.5, 2.0), singular=True)
def _(x):
    return np.divide(1.0, x)


@elementwise(np.log2, domain=(0.5, 2.0), singular=True)
def _(x):
    return np.divide(1.0 / math.log(2.0), x)


@elementwise(np.log10, domain=(0.5, 2.0), singular=True)
def _(x):
    return np.divide(1.0 / math.log(10.0), x)


@elementwise(np.log1p, domain=(-0.5, 2.0), singular=True)
def _(x):
    return np.divide(1.0, 1.0 + x)


@elementwise(np.logaddexp)
def _(x1, x2):
    return logaddexp_slope(x1, x2), logaddexp_slope(x2, x1)


@elementwise(np.logaddexp2)
def _(x1, x2):
    return logaddexp_slope(x1, x2, 2.0), logaddexp_slope(x2, x1, 2.0)


# --------------------------------------------------------------------- trigonometry and hyperbolics


@elementwise(np.sin)
def _(x):
    return np.cos(x)


@elementwise(np.cos)
def _(x):
    return -np.sin(x)


@elementwise(np.tan, domain=(-1.0, 1.0), singular=True)
def _(x, *, z):
    return 1.0 + z * z


@elementwise(np.arcsin, domain=(-0.9, 0.9), singular=True)
def _(x):
    return 1.0 / np.sqrt(1.0 - x * x)


@elementwise(np.arccos, domain=(-0.9, 0.9), singular=True)
def _(x):
    return -1.0 / np.sqrt(1.0 - x * x)


@elementwise(np.arctan)
def _(x):
    return 1.0 / (1.0 + x * x)


@elementwise(np.arctan2, domain=(0.5, 2.0), singular=True)
def _(x1, x2):
    return np.divide(x2, x1 * x1 + x2 * x2), np.divide(-x1, x1 * x1 + x2 * x2)


@elementwise(np.sinh, singular=True)
def _(x):
    return np.cosh(x)


@elementwise(np.cosh, singular=True)
def _(x):
    return np.sinh(x)


@elementwise(np.tanh)
def _(x, *, z):
    return 1.0 - z * z


@elementwise(np.arcsinh)
def _(x):
    return 1.0 / np.sqrt(1.0 + x * x)


@elementwise(np.arccosh, domain=(1.5, 3.0), singular=True)
def _(x):
    return 1.0 / (np.sqrt(x - 1.0) * np.sqrt(x + 1.0))  # on the right branch for complex x, too


@elementwise(np.arctanh, domain=(-0.9, 0.9), singular=True)
def _(x):
    return np.divide(1.0, 1.0 - x * x)


@elementwise(np.deg2rad, np.radians)
def _(x):
    return math.pi / 180.0


@elementwise(np.rad2deg, np.degrees)
def _(x):
    return 180.0 / math.pi


@elementwise(np.sinc)
def _(x):
    return sinc_slope(x)


# --------------------------------------------------------------------------- several results, casts


@rule(np.divmod, divmod, domain=(1.2, 1.8), singular=True, cases=[
    "() ()", "(3,) (3,)", "(2,3) (3,)", "(3,) ()",
])
def _(x, y):
    quotient, remainder = np.divmod(x, y)

    quotient_dot = np.zeros_like(quotient)
    remainder_dot = x_dot - quotient * y_dot

    x_bar += unbroadcast(remainder_bar, np.shape(x))
    y_bar += unbroadcast(-remainder_bar * quotient, np.shape(y))


@rule(np.modf, cases=["()", "(3,)"])
def _(x):
    fraction, whole = np.modf(x)

    fraction_dot = x_dot
    whole_dot = np.zeros_like(whole)

    x_bar += fraction_bar


@rule(np.frexp, cases=["()", "(3,)"])
def _(x):
    mantissa, exponent = np.frexp(x)

    mantissa_dot = np.ldexp(x_dot, -exponent)
    exponent_dot = np.zeros_like(exponent)

    x_bar += np.ldexp(mantissa_bar, -exponent)


@elementwise(np.float64, np.longdouble, view=True)
def _(x=0.0):
    return 1.0


@elementwise(np.float32, np.float16, view=True)
def _(x=0.0):
    return 1.0


@elementwise(np.i0)
def _(x):
    return bessel_i1(x)


@rule(np.kaiser, cases=["5 pos()", "4 pos()"])
def _(M, beta):
    w = np.kaiser(M, beta)

    w_dot = kaiser_slope(M, beta, w) * beta_dot

    beta_bar += np.dot(kaiser_slope(M, beta, w), w_bar)
