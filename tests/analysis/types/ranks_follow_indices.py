import numpy as np


def f(m, i):
    a = m[0]  # float64 array, rank 1
    b = m[0, i]  # float64
    c = m[:, i]  # float64 array, rank 1
    d = m[None]  # float64 array, rank 3
    e = m[..., 0, 0]  # float64 array, rank 0
    g = m[m > 0.0]  # float64 array, rank 1
    h = m[[0, 1]]  # float64 array, rank 2
    return b + np.sum(g)


ARGS = (np.ones((2, 3)), 1)
