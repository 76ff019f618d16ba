import numpy as np


def f(u, w):
    u[0] = 0.0
    u[1] = 3.0 * w[2]
    return np.sum(u)


ARGS = (np.array([1.0, 2.0]), np.array([1.0, 2.0, 3.0]))
WRT = ("u", "w")
