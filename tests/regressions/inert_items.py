"""Loops over inert iterators: what they hand on, and what they make anew."""

import functools
import itertools

import numpy as np

from regressions import Cases

CASES = case = Cases()
U = np.array([0.3, 0.7, 1.2, 0.5])


def first(v):
    return float(v[0])


@case(U)
def items_made_anew(x):
    weights, q = [np.array([1.0, 1.5, 2.0, 0.5]), np.ones(4) * 2], x[0]
    for i, a in enumerate(map(first, weights)):
        q += x[i] * a
    a, b = map(first, weights)
    q += a * x[0] - b * x[1] + sum(map(first, weights)) + sum(map(np.sum, weights)) * x[0]
    q += x[0] * max(map(first, weights)) - x[1] * min(map(len, weights))
    q += sum(v * k for v, k in zip(x, map(first, weights)))
    named = dict(map(lambda v: (first(v), v), weights))
    return q * x[3] + sum(np.sum(v * x[0]) * k for k, v in named.items())


@case(U)
def items_in_pairs(x):
    weights, q = [np.array([1.0, 1.5, 2.0, 0.5]), np.ones(4) * 2], x[0]
    for a, b in itertools.combinations(weights, 2):
        q += np.sum(x[0] * a * b)
    for a, b in itertools.product(weights, weights):
        q += np.sum(x[0] * a) * b[1]
    for a, b in itertools.pairwise(weights):
        q += np.sum(x[2] * a) * b[1]
    for a in itertools.chain.from_iterable(weights):
        q += x[1] * a
    return q * x[3]


@case(U)
def items_handed_on(x):
    weights, q = [np.array([1.0, 1.5, 2.0, 0.5]), np.ones(4) * 2], x[0]
    for a in itertools.chain(weights, itertools.islice(weights, 1)):
        q += np.sum(x[0] * a)
    for a in itertools.takewhile(lambda v: v[0] < 9, filter(lambda v: v[0] > 0, weights)):
        q += np.sum(x[1] * a)
    for a in weights[0].flat:
        q += x[2] * a
    return q + np.sum(x * functools.reduce(np.add, weights)) + np.dot(x, next(iter(weights)))


def ones():
    yield 1.0
    yield 2.0
    yield 3.0


class Asked:
    def __iter__(self):
        return iter([1.0, 2.0, 3.0])


class Stepping:
    def __init__(self):
        self.k = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.k += 1
        if self.k > 3:
            raise StopIteration
        return self.k * 1.0


class Numbered:
    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i > 2:
            raise IndexError
        return i * 2.0


@case(U)
def gone_through_once(x):
    total = 0.0
    for make in (ones, Asked, Stepping, Numbered):
        held = make()
        for v, k in zip(held, x):
            total = total * 0.5 + v * k * k
    kept = (v * 2.0 for v in [1.0, 2.0, 3.0])
    for k, v in zip(x, kept):
        total = total * 0.5 + v * k * k
    for v in ones():
        total = total * 0.5 + v * x[0]
    steps = ones()
    for v in steps:
        total = total * 0.5 + v * x[1]
    total += sum([v * k for v, k in zip(ones(), x)]) + sum(map(lambda v, k: v * k * k, Asked(), x))
    for i, (v, k) in enumerate(zip(Asked(), x)):
        total += i * v * k
    first, *rest = ones()
    return total * first + len(rest) * x[2]


@case(U)
def products_with_inert_iterables(x):
    total = 0.0
    for i, k in itertools.product(range(3), x):
        total = total * 0.9 + i * k * k
    for v, k, e in itertools.product(ones(), x[:2], {"a": 2.0}.values()):
        total = total * 0.9 + v * k * e
    return total * sum([a * b for a, b in itertools.product(x, x)])
