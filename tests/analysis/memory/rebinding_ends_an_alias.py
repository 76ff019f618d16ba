import numpy as np


def f(u):
    v = u  # aliases u
    v = v * 2.0  # own memory
    w = v  # aliases v
    u = np.zeros(2)  # own memory
    return np.sum(w)


ARGS = (np.array([1.0, 2.0]),)
