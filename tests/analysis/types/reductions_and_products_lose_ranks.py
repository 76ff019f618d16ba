import numpy as np


def f(m, v):
    a = np.sum(m)  # float64
    b = np.sum(m, axis=0)  # float64 array, rank 1
    c = np.sum(m, axis=0, keepdims=True)  # float64 array, rank 2
    d = m @ v  # float64 array, rank 1
    e = v @ v  # float64
    g = np.argmax(v)  # int64
    h = np.linalg.norm(m)  # float64
    return a + e


ARGS = (np.ones((2, 3)), np.ones(3))
