import numpy as np

from pullback import grad


def settle(u, v):
    u[0] = v[1] * v[1]
    return np.sum(u * v)


def f(x):
    a, b = grad(settle, wrt=(0, 1))(x, x)
    return np.sum(a * b)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: a_derivative_by_arguments_that_share_memory.py:12: cannot take a derivative by two arguments that share memory
#
#    10 |
#    11 | def f(x):
#    12 |     a, b = grad(settle, wrt=(0, 1))(x, x)
#       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    One of them is written.
#    Way out: pass a copy of one
