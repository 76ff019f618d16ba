import numpy as np


def f(x):
    return np.dot(np.sin(x), x ** 2)


ARGS = (np.array([2.0, 3.0]),)


# --- after ---
def f(x):
    sin_x = np.sin(x)
    pow_x = x ** 2
    return np.dot(sin_x, pow_x)
