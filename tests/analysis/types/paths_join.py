import numpy as np


def f(x, u, flag):
    a = 0  # int
    b = None  # none
    if flag:
        a = 0.5  # float
        b = x  # float
        c = u  # float64 array, rank 1
        d = x  # float
    else:
        c = x  # float
    e = a  # real
    g = b  # float or None
    h = c  # number
    i = d  # float
    return x


ARGS = (2.0, np.array([1.0]), True)
