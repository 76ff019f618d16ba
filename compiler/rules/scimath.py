"""numpy.emath: functions that turn complex where the real one has no value."""

import math

import numpy as np

from pullback.compiler.rules.language import elementwise


@elementwise(np.emath.sqrt, singular=True, may_turn=True, cases=["(3,)", "pos(3,)", "()"])
def _(x, *, z):
    return np.divide(0.5, z)


@elementwise(np.emath.log, singular=True, may_turn=True, cases=["(3,)", "pos(3,)", "()"])
def _(x):
    return np.divide(1.0, x)


@elementwise(np.emath.log2, singular=True, may_turn=True, cases=["(3,)", "()"])
def _(x):
    return np.divide(1.0 / math.log(2.0), x)


@elementwise(np.emath.log10, singular=True, may_turn=True, cases=["(3,)", "()"])
def _(x):
    return np.divide(1.0 / math.log(10.0), x)


@elementwise(np.emath.logn, singular=True, may_turn=True, cases=["pos(3,)+1 pos(3,)"])
def _(n, x, *, z):
    return np.divide(-z, n * np.emath.log(n)), np.divide(1.0, x * np.emath.log(n))


@elementwise(np.emath.power, singular=True, may_turn=True, cases=["(3,) 2", "(3,) 0.5", "pos(3,) pos(3,)"])
def _(x, p, *, z):
    return p * np.emath.power(x, p - 1.0), z * np.emath.log(x)


@elementwise(np.emath.arcsin, singular=True, may_turn=True, cases=["(3,)", "unit(3,)"])
def _(x, *, z):
    return np.divide(1.0, np.cos(z))  # x = sin(z), on whichever branch z is


@elementwise(np.emath.arccos, singular=True, may_turn=True, cases=["(3,)", "unit(3,)"])
def _(x, *, z):
    return np.divide(-1.0, np.sin(z))


@elementwise(np.emath.arctanh, singular=True, may_turn=True, cases=["(3,)", "unit(3,)"])
def _(x):
    return np.divide(1.0, 1.0 - x * x)
