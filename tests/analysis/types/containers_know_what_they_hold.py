import numpy as np


def f(x, u):
    pair = (x, u)  # tuple of float and float64 array, rank 1
    items = [x, 2]  # list of float or int or real
    empty = []  # list of float64 array, rank 1
    empty.append(u)
    table = {"a": x, "n": 3}  # dict of float or int or real
    a, b = pair  # float; float64 array, rank 1
    c = items[1]  # int
    d = table["n"]  # int
    e = empty[0]  # float64 array, rank 1
    return x


ARGS = (2.0, np.array([1.0]))
