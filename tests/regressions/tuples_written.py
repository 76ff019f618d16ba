"""Arrays in tuples that a function is given, and writes."""

import functools
from typing import NamedTuple

import numpy as np

from pullback import grad
from regressions import Cases

CASES = case = Cases()


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


U = np.array([0.3, -0.7, 1.2, 0.5])


def added(pair):
    first, second = pair
    first += second
    return np.sum(first * second)


@case(U)
def taken_out_of_a_tuple(x):
    y = x * 2
    z = added((y, x))
    return z + np.sum(y**2)


@case(U)
def taken_out_of_a_tuple_in_a_tuple(x):
    def scaled(given):
        (a, k), b = given
        a *= b * k
        return np.sum(a * b)

    given = ((x * 2, x[0]), x)
    return scaled(given) + np.sum(given[0][0] ** 2)


@case(U)
def among_the_other_arguments(x):
    def doubled(*arrays):
        for a in arrays:
            a *= 2.0
        b = arrays[0]
        b += arrays[1]
        return np.sum(b)

    y, w = x * 2, np.sin(x)
    return doubled(y, w) + np.sum(y**2) * np.sum(w**2)


@case(U)
def in_a_named_tuple(x):
    def moved(pair):
        b = pair.first
        b += pair.second
        return np.sum(b)

    pair = Pair(x * 2, np.sin(x))
    return moved(pair) + np.sum(pair.first**2)


@case(U)
def in_a_default(x):
    y = x * 2

    def moved(k, pair=(y, x)):
        a, b = pair
        a += b * k
        return np.sum(a)

    return moved(2.0) + np.sum(y**2)


@case(U)
def in_a_captured_tuple(x):
    y = x * 2
    pair = (y, x)

    def moved(k):
        a, b = pair
        a += b * k
        return np.sum(a)

    return moved(2.0) + np.sum(y**2)


@case(U)
def in_a_partial(x):
    def moved(single, k):
        (a,) = single
        a += k
        return np.sum(a)

    y = np.sin(x)
    f = functools.partial(moved, (y,))
    return f(2.0) + f(x[1]) + np.sum(y**2)


@case(U)
def derivative_of_what_writes_its_argument(x):
    def bent(b):
        b[0] *= b[1]
        b += 0.5
        return np.sum(np.sin(b))

    def halved(v):
        w = v * 0.5
        return bent(w) + np.sum(w**2)

    inner = grad(lambda v: bent(v * 0.5))(x[::2])
    return np.sum(grad(halved)(x) ** 2) + np.sum(inner**3)
