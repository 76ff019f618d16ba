"""numpy.polynomial's evaluators. Coefficients are one vector, or one a column."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import unbroadcast

VALUES = ["(4,) (3,)", "() (4,)", "(2,3) (3,)", "(3,) (1,)"]


@rule(np.polynomial.polynomial.polyval, cases=VALUES)
def _(x, c):
    y = np.polynomial.polynomial.polyval(x, c)

    y_dot = np.polynomial.polynomial.polyval(
        x, np.polynomial.polynomial.polyder(c)
    ) * x_dot + np.polynomial.polynomial.polyval(x, c_dot)

    x_bar += y_bar * np.polynomial.polynomial.polyval(x, np.polynomial.polynomial.polyder(c))
    c_bar += np.ravel(y_bar) @ np.polynomial.polynomial.polyvander(np.ravel(x), len(c) - 1)


@rule(np.polynomial.chebyshev.chebval, cases=VALUES)
def _(x, c):
    y = np.polynomial.chebyshev.chebval(x, c)

    y_dot = np.polynomial.chebyshev.chebval(
        x, np.polynomial.chebyshev.chebder(c)
    ) * x_dot + np.polynomial.chebyshev.chebval(x, c_dot)

    x_bar += y_bar * np.polynomial.chebyshev.chebval(x, np.polynomial.chebyshev.chebder(c))
    c_bar += np.ravel(y_bar) @ np.polynomial.chebyshev.chebvander(np.ravel(x), len(c) - 1)


@rule(np.polynomial.legendre.legval, cases=VALUES)
def _(x, c):
    y = np.polynomial.legendre.legval(x, c)

    y_dot = np.polynomial.legendre.legval(
        x, np.polynomial.legendre.legder(c)
    ) * x_dot + np.polynomial.legendre.legval(x, c_dot)

    x_bar += y_bar * np.polynomial.legendre.legval(x, np.polynomial.legendre.legder(c))
    c_bar += np.ravel(y_bar) @ np.polynomial.legendre.legvander(np.ravel(x), len(c) - 1)


@rule(np.polynomial.hermite.hermval, cases=VALUES)
def _(x, c):
    y = np.polynomial.hermite.hermval(x, c)

    y_dot = np.polynomial.hermite.hermval(
        x, np.polynomial.hermite.hermder(c)
    ) * x_dot + np.polynomial.hermite.hermval(x, c_dot)

    x_bar += y_bar * np.polynomial.hermite.hermval(x, np.polynomial.hermite.hermder(c))
    c_bar += np.ravel(y_bar) @ np.polynomial.hermite.hermvander(np.ravel(x), len(c) - 1)


@rule(np.polynomial.hermite_e.hermeval, cases=VALUES)
def _(x, c):
    y = np.polynomial.hermite_e.hermeval(x, c)

    y_dot = np.polynomial.hermite_e.hermeval(
        x, np.polynomial.hermite_e.hermeder(c)
    ) * x_dot + np.polynomial.hermite_e.hermeval(x, c_dot)

    x_bar += y_bar * np.polynomial.hermite_e.hermeval(x, np.polynomial.hermite_e.hermeder(c))
    c_bar += np.ravel(y_bar) @ np.polynomial.hermite_e.hermevander(np.ravel(x), len(c) - 1)


@rule(np.polynomial.laguerre.lagval, cases=VALUES)
def _(x, c):
    y = np.polynomial.laguerre.lagval(x, c)

    y_dot = np.polynomial.laguerre.lagval(
        x, np.polynomial.laguerre.lagder(c)
    ) * x_dot + np.polynomial.laguerre.lagval(x, c_dot)

    x_bar += y_bar * np.polynomial.laguerre.lagval(x, np.polynomial.laguerre.lagder(c))
    c_bar += np.ravel(y_bar) @ np.polynomial.laguerre.lagvander(np.ravel(x), len(c) - 1)


@rule(np.polynomial.polynomial.polyvander, cases=["(3,) 2", "() 3", "(2,3) 1", "(3,) 0"])
def _(x, deg):
    y = np.polynomial.polynomial.polyvander(x, deg)

    powers = np.arange(deg + 1)
    y_dot = (
        powers
        * np.polynomial.polynomial.polyvander(x, deg)[..., np.maximum(powers - 1, 0)]
        * np.expand_dims(x_dot, -1)
    )

    powers = np.arange(deg + 1)
    slope = powers * np.polynomial.polynomial.polyvander(x, deg)[..., np.maximum(powers - 1, 0)]
    x_bar += unbroadcast(np.sum(y_bar * slope, axis=-1), np.shape(x))
