import numpy as np


def f(x, y):
    return np.exp(-np.sum((x - y) ** 2) / 2.0)


ARGS = (np.array([1.0, 2.0]), np.array([0.5, 0.25]))


# --- after ---
def f(x, y):
    return np.exp(-np.sum((x - y) ** 2) / 2.0)
