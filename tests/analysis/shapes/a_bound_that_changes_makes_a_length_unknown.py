import numpy as np


def f(u, n):
    a = u[:n]  # (by n)
    b = u[:n]  # (by n)
    c = a * b  # (by n)
    n = n + 1  # is n.value + 1
    d = u[:n]  # (by n)
    e = a * d  # (?)
    return np.sum(e)


ARGS = (np.arange(5.0), 1)
