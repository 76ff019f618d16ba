"""Defaults are what they were when the function was made, whatever their text means by now."""

import numpy as np

from regressions import Cases

CASES = case = Cases()


RATE = 2.0
WEIGHTS = np.array([1.0, 2.0])


def shape(v):
    return np.sin(v)


def scaled(v, k=RATE, *, w=WEIGHTS):
    return np.sum(w * v) * k


def shaped(v, f=shape):
    return f(v) * 2.0


def counted(v, k=RATE**2 + 1.0, limits=(-RATE, RATE)):
    return min(max(v * k, limits[0]), limits[1])


RATE = 3.0
WEIGHTS = np.array([5.0, 5.0])


def shape(v):
    return np.cos(v)


@case(0.7)
def numbers_and_arrays(x):
    return scaled(x) + scaled(x, w=WEIGHTS) * RATE


@case(0.7)
def functions(x):
    return shaped(x) * shape(x)


@case(0.3)
def expressions(x):
    return counted(x) + counted(10.0 * x)


TABLE = [lambda v, n=n: v**n for n in (1, 2, 3)]
n = 10.0


@case(0.7)
def lambdas_of_a_table(x):
    total = 0.0
    for function in TABLE:
        total += function(x) * n
    return total


class Body:
    mass = RATE

    def force(self, x, g=mass, at=WEIGHTS):
        return g * x + np.sum(at) * x**2


Body.mass = 7.0
WEIGHTS = np.array([6.0, 6.0])


@case(0.7)
def methods(x):
    return Body().force(x) * Body.mass + np.sum(WEIGHTS)
