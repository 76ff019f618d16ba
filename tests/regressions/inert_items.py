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
