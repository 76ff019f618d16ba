import numpy as np


def f(u):
    v = u[1:]  # aliases u
    a = u.copy()  # own memory
    b = u + 1.0  # own memory
    w = v  # aliases u, v
    c = u[[0, 1]]  # own memory
    d = u[0]
    return np.sum(u)


ARGS = (np.array([1.0, 2.0]),)
