import numpy as np


def f(x):
    u = x * 2.0  # shadow
    v = u[1:]  # shadow
    w = x * 3.0  # value
    z = np.zeros(2)
    u[0] = 0.0
    z[0] = 1.0
    y = np.sum(u) + z[0]  # value
    return y * np.sum(w)


ARGS = (np.array([1.0, 2.0]),)
