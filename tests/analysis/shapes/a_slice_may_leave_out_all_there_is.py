import numpy as np

ARGS = (np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),)


def f(u):
    v = u[4:]  # (u.0[4:])
    w = u[2:-2]  # (u.0[4:])
    z = np.concatenate((v, np.zeros(3)))  # (u.0[4:] + 3)
    x = v[1:]  # (u.0[5:])
    return z
