"""Variables that have another shape, or are nothing yet, in each round of a loop or on some path."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, 0.7, 1.3])


@case(A3, 0.8)
def longer_in_each_round(x, y):
    for n in (1, 2, 3):
        r = x[:n] * y
        s = np.sin(r)
    return np.sum(s**2) + np.sum(r)


@case(A3, 0.8)
def number_before_and_array_in_the_loop(x, y):
    v = y
    for _ in range(2):
        v = np.sin(x)
    return np.sum(v)


@case(A3, 0.8)
def without_dimension_before_the_loop(x, y):
    v = np.array(y)
    c = 0.0
    for _ in range(2):
        c = np.sin(v)
        v = v * x
    return np.sum(c) * np.sum(v)


@case(A3, 0.8)
def one_more_axis_in_each_round(x, y):
    v = np.array(y)
    for _ in range(2):
        c = np.sin(v)
        v = np.stack([v * y, np.sin(v)])
    return np.sum(c**2) * x[0]


@case(A3, 0.8)
def layers_of_different_width(x, y):
    h = x
    for n in (4, 2):
        z = np.ones((n, len(h))) @ h
        h = np.tanh(z) * y
    return z @ z


@case(A3, 0.8)
def shorter_until_one_is_left(x, y):
    v = x * y
    while v.shape[0] > 1:
        d = v[1:] - v[:-1]
        v = d * d
    return np.sum(d) * y


@case(A3, 0.8)
def probabilities_of_the_first_few(x, y):
    for m in range(1, 4):
        e = np.exp(x[:m])
        p = e / e.sum()
    return np.sum(p**2) * y


@case(A3)
def bound_on_a_path_that_was_not_taken(x):
    y = x * 1.0
    if x[0] > 1.0:
        z = x * 2
    if x[0] > 2.0:
        y = z * z
    return np.sum(y**2)


@case(A3)
def bound_in_a_loop_without_rounds(x):
    y = x * 1.0
    for _ in range(0):
        z = x * 2
    if x[0] > 2.0:
        y = z * z
    return np.sum(y**2)
