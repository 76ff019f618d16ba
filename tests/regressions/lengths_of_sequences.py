"""Sequences taken apart, and the least and the largest of them."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])


@case(A3, M)
def taken_apart(u, m):
    a, b, c = u * 2.0
    (d, *e), f = m
    total = 0.0
    for x, y in zip(m[0], m[1]):
        total += x * y
    for p, q in m.T:
        total += p * q * q
    first, *rest = u
    return a * b * c + d * np.sum(f) + e[0] * total + first * rest[1]


@case(A3)
def written_while_taken_apart(u):
    v = u * 1.0
    v[0], v[1], last = v * u
    return np.sum(v * last)


@case(A3, M)
def least_and_largest(u, m):
    xs = [x * x for x in u]
    low, high = min(xs), max(u)
    total = low * high
    for row in m:
        total += max(row) * min(x * u[0] for x in row)
    return total * max(xs + [0.1], default=3.0) * min([], default=u[1]) * max(u[0], u[2], 0.3)
