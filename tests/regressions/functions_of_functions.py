"""Functions of NumPy that are given functions, methods of ufuncs, arrays in lists of lists."""

import itertools
import math

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, 0.7, 1.1])
A4 = np.array([0.5, 1.2, 0.8, 1.9])
M23 = np.array([[0.5, 1.2, 0.3], [0.9, 0.4, 1.6]])
T223 = np.array([M23, M23 * 1.5 + 0.1])


@np.vectorize
def bent(t):
    return t * t if t > 1.0 else 0.5 * t


@case(A4, 0.7)
def vectorized(u, x):
    def f(a, b):
        return a * math.sin(b) if a > 0.6 else b

    g = np.vectorize(f, otypes=[float])
    return np.sum(bent(u) * g(u, x)) + g(x, 2.0) + np.vectorize(lambda a, b, c: a * b - c)(u, x, u[::-1])[1]


def scaled(row, k):
    return k * row / np.sum(row)


@case(M23, 0.7)
def applied_along_an_axis(m, x):
    rows = np.apply_along_axis(lambda r: r / r.sum(), 1, m)
    columns = np.apply_along_axis(scaled, 0, m, x)
    return rows[0, 1] * np.sum(columns[1]) + np.apply_along_axis(np.sum, 0, m)[2] + np.apply_along_axis(np.prod, 0, m[0])


@case(T223)
def applied_in_three_dimensions(t):
    sums = np.apply_along_axis(lambda r: np.cumsum(r) * r[0], 1, t)
    return np.sum(sums * t) + np.sum(np.apply_along_axis(lambda r: np.max(r), -1, t))


@case(M23)
def ufuncs_that_reduce_and_accumulate(m):
    total = np.logaddexp.accumulate(m[0])[2] + np.subtract.accumulate(m, axis=1)[1, 2] + np.divide.accumulate(m)[1, 0]
    return total + np.subtract.reduce(m[1]) + np.divide.reduce(m, axis=1)[0] + np.hypot.reduce(m, 1).sum()


@case(A4)
def ufuncs_that_reduce_parts(u):
    return np.sum(np.add.reduceat(u, [0, 2]) ** 2) + np.multiply.reduceat(np.outer(u, u), [0, 1, 3], axis=1)[1, 1]


@case(A4, A3)
def ufuncs_of_all_pairs(u, w):
    total = np.sum(np.hypot.outer(u, w)) + np.power.outer(u, w)[0, 0] + np.sum(np.maximum.outer(u, w))
    return total + np.sum(np.arctan2.outer(w, u)) + np.logaddexp.outer(np.outer(u, u), w)[1, 2, 0]


@case(M23, A3)
def blocks_of_arrays(m, w):
    square = m @ m.T
    whole = np.block([[square, w[:2, None]], [w[None, 1:], np.ones((1, 1))]])
    return np.linalg.det(whole) + np.sum(np.block([w, w**2]) ** 2) + np.sum(np.block([m, square]) ** 2)


@case(A4, A4[::-1] * 1.1, M23)
def arrays_gone_through_entry_by_entry(u, v, m):
    total = 0.0
    for e in np.nditer(m):
        total = total * 0.9 + e * e
    for a, b in np.nditer([u, v]):
        total += a * b
    return total


@case(A4, 0.7)
def pieces_of_a_number_and_with_arguments(u, x):
    one = float(np.piecewise(x, [x < 0.5, x >= 0.5], [lambda t: t, lambda t: t**3]))
    return one * np.sum(np.piecewise(u, [u > 1.0], [lambda t, k: t * k, lambda t, k: t + k], x))


@case(A4, A3)
def cycled_and_branched_iterators(u, w):
    total = 0.0
    for a, b in zip(u, itertools.cycle(w)):
        total += a * b
    first, second = itertools.tee(u)
    next(second, None)
    return total + sum(p * q for p, q in zip(first, second))


@case(0.7, 1.2)
def attributes_of_a_local_function(x, y):
    def step(a):
        step.calls += 1
        step.last = a * y
        return step.last * step.calls

    step.calls = 0
    first = step(x)
    return first * step.last + step(y) * step.last


@case(0.7, 1.2)
def counters_set_after_the_definition(x, y):
    def counted(f):
        def run(*a, **k):
            nonlocal calls, total
            calls += 1
            total += a[0]
            return f(*a, **k) * calls

        calls = 0
        total = 0.0
        return run

    @counted
    def h(v, w=2.0):
        return v * w

    @counted
    def k(v):
        return h(v) + 1

    return h(x) + k(y) + h(y, w=x)
