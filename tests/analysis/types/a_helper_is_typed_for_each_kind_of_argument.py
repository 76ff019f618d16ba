import numpy as np


def twice(v):
    return v + v


def f(x, u, n):
    a = twice(x)  # float
    b = twice(u)  # float64 array, rank 1
    c = twice(n)  # int
    return a


ARGS = (2.0, np.array([1.0]), 3)
