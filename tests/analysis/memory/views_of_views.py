import numpy as np


def f(m):
    a = m.T  # aliases m
    b = m.reshape(-1)  # aliases a, m
    c = np.ravel(a)  # aliases a, b, m
    d = m[0]  # aliases a, b, c, m
    e = np.asarray(m)  # aliases a, b, c, d, m
    g = np.array(m)  # own memory
    h = np.sum(m, axis=0)  # own memory
    return np.sum(m)


ARGS = (np.ones((2, 3)),)
