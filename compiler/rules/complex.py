"""Complex numbers. The adjoint of x is the direction g of steepest ascent: df = Re(conj(g) dx)."""

import cmath
import math

import numpy as np

from pullback.compiler.rules.language import elementwise, rule
from pullback.runtime.arrays import divide_or_zero


@elementwise(np.real, conjugates=True, view=True, cases=[
    "(3,)", "complex(3,)", "()", "complex(2,3)",
])
def _(val):
    return 1.0


@elementwise(np.imag, conjugates=True, view=True, cases=["complex(3,)", "complex(2,3)"])
def _(val):
    return 1j


@elementwise(np.angle, conjugates=True, singular=True, cases=[
    "complex(3,)", "complex(2,3) deg=True",
])
def _(z, deg=False):
    return (180.0 / math.pi if deg else 1.0) * 1j * z / np.square(np.abs(z))


@elementwise(complex, cases=["() ()"])
def _(real, imag=0.0):
    return 1.0, 1j


@rule(np.conjugate, conjugates=True, cases=["(3,)", "complex(3,)", "()"])
def _(x):
    y = np.conjugate(x)

    y_dot = np.conjugate(x_dot)

    x_bar += np.conjugate(y_bar)


@rule(np.sign, conjugates=True, cases=["complex(3,)", "complex(2,3)"])
def _(x):
    s = np.sign(x)  # x / |x|: of real numbers a constant

    s_dot = divide_or_zero(x_dot - s * np.real(np.conjugate(s) * x_dot), np.abs(x))

    x_bar += divide_or_zero(s_bar - s * np.real(np.conjugate(s) * s_bar), np.abs(x))


@rule(np.real_if_close, real=True, view=True, cases=["(3,)"])
def _(a, tol=100):
    y = np.real_if_close(a, tol)

    y_dot = np.real(a_dot) if np.isrealobj(y) else a_dot

    a_bar += y_bar


# ------------------------------------------------------------------------------------------- cmath


@elementwise(cmath.exp, cases=["complex()"])
def _(x, *, z):
    return z


@elementwise(cmath.sqrt, singular=True, cases=["complex()"])
def _(x, *, z):
    return np.divide(0.5, z)


@elementwise(cmath.log, singular=True, cases=["complex()"])
def _(x):
    return np.divide(1.0, x)


@elementwise(cmath.log10, singular=True, cases=["complex()"])
def _(x):
    return np.divide(1.0 / math.log(10.0), x)


@elementwise(cmath.sin, cases=["complex()"])
def _(x):
    return np.cos(x)


@elementwise(cmath.cos, cases=["complex()"])
def _(x):
    return -np.sin(x)


@elementwise(cmath.tan, cases=["complex()"])
def _(x, *, z):
    return 1.0 + z * z


@elementwise(cmath.sinh, cases=["complex()"])
def _(x):
    return np.cosh(x)


@elementwise(cmath.cosh, cases=["complex()"])
def _(x):
    return np.sinh(x)


@elementwise(cmath.tanh, cases=["complex()"])
def _(x, *, z):
    return 1.0 - z * z


@elementwise(cmath.atan, singular=True, cases=["complex()"])
def _(x):
    return np.divide(1.0, 1.0 + x * x)


@elementwise(cmath.asin, singular=True, cases=["complex()"])
def _(x, *, z):
    return np.divide(1.0, np.cos(z))


@elementwise(cmath.acos, singular=True, cases=["complex()"])
def _(x, *, z):
    return np.divide(-1.0, np.sin(z))


@elementwise(cmath.phase, conjugates=True, singular=True, cases=["complex()"])
def _(x):
    return 1j * x / np.square(np.abs(x))


@elementwise(cmath.asinh, singular=True, cases=["complex()"])
def _(x, *, z):
    return np.divide(1.0, np.cosh(z))


@elementwise(cmath.acosh, singular=True, cases=["complex()"])
def _(x, *, z):
    return np.divide(1.0, np.sinh(z))


@elementwise(cmath.atanh, singular=True, cases=["complex()"])
def _(x):
    return np.divide(1.0, 1.0 - x * x)


@elementwise(cmath.rect, real=True, cases=["() ()"])
def _(r, phi, *, z):
    return np.exp(1j * phi), 1j * z
