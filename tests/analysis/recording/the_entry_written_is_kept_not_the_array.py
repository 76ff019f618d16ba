import numpy as np


def f(u):
    a = np.sum(u * u)
    u[0] = 0.0  # keeps u[0]
    u[1] = 2.0  # keeps u[1]
    return a * u[1]


ARGS = (np.array([1.0, 2.0]),)
