import numpy as np


def f(x):
    y = np.sin(x)  # active
    z = x * x  # unused
    w = z + 1.0  # unused
    return y


ARGS = (1.0,)
