import numpy as np


def first(a, b):
    return a


def total(a, b):
    return a + b


def f(u, w):
    v = first(u, w)  # aliases u
    s = total(u, w)  # own memory
    return np.sum(v) + np.sum(s)


ARGS = (np.array([1.0, 2.0]), np.array([3.0, 4.0]))
