"""Complex numbers. The adjoint of x is the direction g of steepest ascent: df = Re(conj(g) dx)."""

import math

import numpy as np

from pullback.compiler.rules.language import elementwise, rule


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


@rule(np.real_if_close, conjugates=True, view=True, cases=["(3,)"])
def _(a, tol=100):
    y = np.real_if_close(a, tol)

    y_dot = np.real(a_dot) if np.isrealobj(y) else a_dot

    a_bar += y_bar
