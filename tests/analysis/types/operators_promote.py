import numpy as np


def f(x, u, n):
    a = 2 * x  # float
    b = n / 2  # float
    c = n // 2  # int
    d = u + n  # float64 array, rank 1
    e = u.astype(np.float32)  # float32 array, rank 1
    g = e * x  # float32 array, rank 1
    h = u > 0.0  # bool array, rank 1
    return np.sum(g)


ARGS = (2.0, np.array([1.0, 2.0]), 3)
