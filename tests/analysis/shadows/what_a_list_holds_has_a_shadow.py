import numpy as np


def f(x):
    u = x * 2.0  # shadow
    w = x * 3.0  # value
    items = [u, 1.0]  # shadow
    a = items[0]  # shadow
    b = items[1]
    return np.sum(a) + np.sum(w)


ARGS = (np.array([1.0, 2.0]),)
