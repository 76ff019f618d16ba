import numpy as np


def f(u):
    v = u[1:]
    a = np.prod(u)
    v[0] = 2.0  # keeps v[0]
    v[:] = 3.0  # keeps v[:].copy()
    return a * u[0]


ARGS = (np.array([1.0, 2.0]),)
