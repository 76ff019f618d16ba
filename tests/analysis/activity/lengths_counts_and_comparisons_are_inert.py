import numpy as np


def f(x):
    n = len(x)  # inert
    i = np.argmax(x)  # inert
    above = x > 0.0  # inert
    shape = x.shape  # inert
    whole = np.floor(x)  # inert
    cut = x.astype(int)  # inert
    y = x[i] * n  # active
    return y


ARGS = (np.array([1.0, 2.0]),)
