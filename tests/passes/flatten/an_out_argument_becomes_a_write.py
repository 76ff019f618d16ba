import numpy as np


def f(u, v):
    np.multiply(u, v, out=u)
    return np.sum(u)


ARGS = (np.array([2.0, 3.0]), np.array([4.0, 5.0]))


# --- after ---
def f(u, v):
    u[...] = np.multiply(u, v)
    return np.sum(u)
