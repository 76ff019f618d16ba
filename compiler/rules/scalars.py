"""The functions of `math`: on a Python float they are many times faster than NumPy's, and so are
their slopes.

`math` raises where NumPy gives inf or nan. The partials must not raise where the function itself
did not: `ieee_divide` and the slopes of the runtime stand where a divisor can be zero.
"""

import math

from pullback.compiler.rules.language import elementwise, rule
from pullback.runtime.arrays import (
    divide_or_zero,
    ieee_divide,
    polygamma,
    power_base_slope,
    power_exponent_slope,
    product_without,
    sign,
)


@elementwise(math.sin)
def _(x):
    return math.cos(x)


@elementwise(math.cos)
def _(x):
    return -math.sin(x)


@elementwise(math.tan, domain=(-1.0, 1.0), singular=True)
def _(x, *, z):
    return 1.0 + z * z


@elementwise(math.asin, domain=(-0.9, 0.9), singular=True)
def _(x):
    return ieee_divide(1.0, math.sqrt(1.0 - x * x))


@elementwise(math.acos, domain=(-0.9, 0.9), singular=True)
def _(x):
    return ieee_divide(-1.0, math.sqrt(1.0 - x * x))


@elementwise(math.atan)
def _(x):
    return 1.0 / (1.0 + x * x)


@elementwise(math.atan2, domain=(0.5, 2.0), singular=True)
def _(y, x):
    return ieee_divide(x, x * x + y * y), ieee_divide(-y, x * x + y * y)


@elementwise(math.sinh, singular=True)
def _(x):
    return math.cosh(x)


@elementwise(math.cosh, singular=True)
def _(x):
    return math.sinh(x)


@elementwise(math.tanh)
def _(x, *, z):
    return 1.0 - z * z


@elementwise(math.asinh)
def _(x):
    return 1.0 / math.sqrt(1.0 + x * x)


@elementwise(math.acosh, domain=(1.5, 3.0), singular=True)
def _(x):
    return ieee_divide(1.0, math.sqrt(x * x - 1.0))


@elementwise(math.atanh, domain=(-0.9, 0.9), singular=True)
def _(x):
    return 1.0 / ((1.0 - x) * (1.0 + x))  # 1 - x * x rounds to 0 before x reaches 1


@elementwise(math.exp, singular=True)
def _(x, *, z):
    return z


@elementwise(math.expm1, singular=True)
def _(x, *, z):
    return z + 1.0


@rule(math.log, cases=["pos()", "pos() pos()"], singular=True)
def _(x, base=None):
    z = math.log(x) if base is None else math.log(x, base)

    if base is None:
        z_dot = x_dot / x
    else:
        z_dot = (x_dot / x - z * base_dot / base) / math.log(base)

    if base is None:
        x_bar += z_bar / x
    else:
        x_bar += z_bar / (x * math.log(base))
        base_bar += -z_bar * z / (base * math.log(base))


@elementwise(math.log2, domain=(0.5, 2.0), singular=True)
def _(x):
    return 1.0 / (x * math.log(2.0))


@elementwise(math.log10, domain=(0.5, 2.0), singular=True)
def _(x):
    return 1.0 / (x * math.log(10.0))


@elementwise(math.log1p, domain=(-0.5, 2.0), singular=True)
def _(x):
    return 1.0 / (1.0 + x)


@elementwise(math.sqrt, domain=(0.5, 2.0), singular=True)
def _(x, *, z):
    return ieee_divide(0.5, z)


@elementwise(math.pow, domain=(0.5, 2.0), singular=True)
def _(x, y, *, z):
    return power_base_slope(x, y), power_exponent_slope(x, y, z)


@elementwise(math.fmod, math.remainder, domain=(1.2, 1.4), singular=True)
def _(x, y, *, z):
    return 1.0, (z - x) / y


@elementwise(math.fabs)
def _(x):
    return sign(x)


@rule(math.hypot, cases=["() ()", "() () ()"], singular=True)
def _(*xs):
    z = math.hypot(*xs)

    z_dot = math.fsum(divide_or_zero(x, z) * dx for x, dx in zip(xs, xs_dot))

    for k in range(len(xs)):
        xs_bar[k] += z_bar * divide_or_zero(xs[k], z)


@elementwise(math.copysign)
def _(x, y):
    return math.copysign(1.0, y) * sign(x), None


@elementwise(math.degrees)
def _(x):
    return 180.0 / math.pi


@elementwise(math.radians)
def _(x):
    return math.pi / 180.0


@elementwise(math.erf)
def _(x):
    return 2.0 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise(math.erfc)
def _(x):
    return -2.0 / math.sqrt(math.pi) * math.exp(-x * x)


@elementwise(math.gamma, domain=(0.5, 3.0), singular=True)
def _(x, *, z):
    return z * polygamma(0, x)


@elementwise(math.lgamma, domain=(0.5, 3.0), singular=True)
def _(x):
    return polygamma(0, x)


@elementwise(math.ldexp, cases=["() int"])
def _(x, i):
    return math.ldexp(1.0, i), None


@elementwise(polygamma, cases=["0 pos()", "1 pos()"])
def _(n, x):
    return None, polygamma(n + 1, x)


if hasattr(math, "exp2"):  # Python 3.11

    @elementwise(math.exp2, singular=True)
    def _(x, *, z):
        return math.log(2.0) * z

    @elementwise(math.cbrt, domain=(0.5, 2.0), singular=True)
    def _(x, *, z):
        return ieee_divide(1.0, 3.0 * z * z)


if hasattr(math, "fma"):  # Python 3.13

    @elementwise(math.fma)
    def _(x, y, z, *, f):
        return y, x, 1.0


@rule(math.fsum, cases=["[(),(),()]", "(3,)"])
def _(seq):
    z = math.fsum(seq)

    z_dot = math.fsum(seq_dot)

    for k in range(len(seq)):
        seq_bar[k] += z_bar


@rule(math.prod, cases=["[(),(),()]", "(3,)", "[(),()] start=2.0"])
def _(iterable, *, start=1):
    z = math.prod(iterable, start=start)

    z_dot = start * math.fsum(
        iterable_dot[k] * product_without(iterable, k) for k in range(len(iterable))
    )

    for k in range(len(iterable)):
        iterable_bar[k] += z_bar * start * product_without(iterable, k)


@rule(math.dist, cases=["[(),()] [(),()]", "(3,) (3,)"])
def _(p, q):
    z = math.dist(p, q)

    z_dot = math.fsum(divide_or_zero(p[k] - q[k], z) * (p_dot[k] - q_dot[k]) for k in range(len(p)))

    for k in range(len(p)):
        p_bar[k] += z_bar * divide_or_zero(p[k] - q[k], z)
    for k in range(len(q)):
        q_bar[k] += z_bar * divide_or_zero(q[k] - p[k], z)


@rule(math.modf, cases=["()"])
def _(x):
    fraction, whole = math.modf(x)

    fraction_dot = x_dot
    whole_dot = 0.0

    x_bar += fraction_bar


@rule(math.frexp, cases=["()"])
def _(x):
    mantissa, exponent = math.frexp(x)

    mantissa_dot = math.ldexp(x_dot, -exponent)
    exponent_dot = 0.0

    x_bar += math.ldexp(mantissa_bar, -exponent)
