import numpy as np


def f(x):
    u = np.zeros(3)  # active
    v = np.zeros(3)  # inert
    u[0] = x
    v[0] = 2.0
    a = u[1]  # active
    b = v[0]  # inert
    return a * b * x


ARGS = (1.0,)
