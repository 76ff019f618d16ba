import numpy as np


def f(u, v):
    np.add.at(u, [0, 0, 1], v)
    return u[0] * u[1]


ARGS = (np.array([2.0, 3.0]), np.array([4.0, 5.0, 6.0]))


# --- after ---
def f(u, v):
    u[...] += scattered(u, [0, 0, 1], v)
    return u[0] * u[1]
