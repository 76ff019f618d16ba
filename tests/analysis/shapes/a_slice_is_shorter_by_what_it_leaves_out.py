import numpy as np


def f(u, i):
    a = u[1:-1]  # (u.0 - 2)
    b = u[2:] - 2.0 * u[1:-1] + u[:-2]  # (u.0 - 2)
    c = u[:i]  # (by i)
    d = u[::2]  # (by literals)
    n = len(u)  # is u.0
    e = np.zeros(n)  # (u.0)
    g = np.zeros(n - 2)  # (u.0 - 2)
    return np.sum(b)


ARGS = (np.arange(5.0), 2)
