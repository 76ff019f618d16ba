"""Functions that Python calls, and other inert calls inside active statements, that change what derivatives read."""

import bisect
import functools
import heapq
import itertools

import numpy as np

from regressions import Cases

CASES = case = Cases()
U = np.array([0.3, 0.7, 1.2, 0.5])


def bumped(w):
    w *= 1.3
    w[0] += 0.1
    return 2.0


@case(U)
def a_call_whose_value_no_derivative_needs(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    s = np.sum(w * x)
    q = x[0] + bumped(w)
    return s**2 + q + np.sum(w * x) ** 2


@case(U)
def helpers_with_inert_results(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    s = np.sum(w * x)

    def large(z):
        return z > 0.4 and bumped(w) > 1

    kept = list(filter(large, x))
    q = functools.reduce(lambda a, b: a * b + bumped(w), x)
    return s**2 + kept[0] * np.sum(w * x**2) + q


@case(U)
def keys_that_write(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    kept = [x[0], x[1] * 2, x[3]]
    s = np.sum(w * x)
    q = max(x, key=lambda z: z * bumped(w)) * np.sum(w * x)
    q += sorted(x, key=lambda z: z * bumped(w))[1] * np.sum(w * x)
    kept.sort(key=lambda z: -z * bumped(w))
    q += kept[0] * np.sum(w * x) + x[sorted(range(4), key=lambda i: x[i] * bumped(w))[0]]
    q += x[0] * max([1, 2], key=lambda i: i * bumped(w)) * np.sum(w * x)
    return s**2 + q


@case(U)
def keys_that_count(x):
    calls, seen, memo = [0], [], {}

    def counted(z):
        calls[0] += 1
        return z * calls[0]

    def noted(z):
        seen.append(1.0)
        return z * len(seen)

    s = np.sum(x) * (calls[0] + 1) + len(seen) * x[0]
    q = max(x, key=counted) + sorted(x, key=noted)[0] * calls[0]
    q += x[min(range(4), key=lambda i: memo.setdefault(i, abs(x[i] - 0.5)))] * len(memo)
    return s**2 + q * (1 + calls[0]) * (1 + len(seen))


@case(U)
def what_libraries_call(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    s = np.sum(w * x)
    q = x[1] * heapq.nsmallest(1, [3, 2, 1], key=lambda i: i * bumped(w))[0] * w[1]
    q += x[1] * len(list(itertools.takewhile(lambda i: bumped(w) > 1, [1, 2]))) * w[1]
    q += x[1] * list(itertools.accumulate([1, 2], lambda a, b: a + b * bumped(w)))[-1] * w[1]
    q += x[1] * bisect.bisect([1, 2, 3], 2, key=lambda i: i * bumped(w)) * w[1]
    q += x[0] * np.fromfunction(lambda i: i * bumped(w), (3,)).sum() * w[1]
    q += x[2] * len(sorted([w, w.copy()], key=bumped)) * w[1]
    q += x[int(np.apply_along_axis(lambda r: bumped(w), 0, np.ones((2, 2)))[0])] * w[1]
    return s**2 + q


class Body:
    def __init__(self, v):
        self.v, self.asked = v, 0

    def score(self, k):
        return self.v * k


@case(U)
def keys_that_only_look(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])

    def looked(weights, i):
        t = weights * 2.0
        t[0] += i
        parts = [t[i]]
        parts.append(1.0)
        return sum(parts)

    bodies = [Body(v) for v in x]
    s = max(bodies, key=lambda o: o.score(1.0)).v * x[max(range(4), key=lambda i: looked(w, i))]
    bodies.sort(key=lambda o: -o.score(w[0]))
    pieces = np.piecewise(np.array([1.0, -1.0]), [[True, False]], [lambda t: t * bumped(w), 0.5])
    return s * bodies[0].v + np.sum(w * x) * pieces[0] * x[1]


class Buffer:
    def __init__(self, w):
        self.w, self.k, self.n = w, 1.0, 1


def lowered(o):
    o.w *= 0.8
    o.n += 1
    return 1.0


@case(U)
def inert_calls_in_every_statement(x):
    w, c = np.array([1.0, 1.5, 2.0, 0.5]), 1.0
    o = Buffer(w)

    def counted():
        nonlocal c
        c += 1.0
        return c

    s = np.sum(w * x) * o.n * c
    for _ in range(2):
        q = x[0]
        q += bumped(w) * 0.1
        o.k = bumped(w)
        with np.errstate(all="ignore" if bumped(w) else "warn"):
            q += x[1] * o.k
        q += np.add(w, -0.5, out=w)[0] + lowered(o) + counted()
        s += np.sum(w * x) * q * o.n * c
    return s**2 + q * np.sum(w * x**2) * o.n * c


@case(U)
def iterators_that_write(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])

    def endless():
        while True:
            w[1] *= 0.9
            yield 1.0

    def short():
        for _ in range(3):
            w[2] *= 0.9
            yield 1.0

    one, other = endless(), short()
    s = np.sum(w * x)
    q = x[0] + next(one)
    for v in other:
        q += x[1] * w[2] * v
    return s**2 + q * np.sum(w * x**2)


@case(U)
def heads_that_write_something_active(x):
    w, q = x * 1.1 + 1.0, x[0]
    s = np.sum(w * x)
    for i in range(int(bumped(w))):
        q += x[i] * w[0]
    for i, v in enumerate(x[: int(bumped(w))], int(bumped(w))):
        q += v * w[i - 1]
    with np.errstate(all="ignore" if bumped(w) else "warn"), np.printoptions(precision=int(bumped(w))):
        q += x[0] * w[1]
    return s**2 + q * np.sum(w * x**2)
