import numpy as np

from pullback import grad


def product(ws):
    return np.sum(ws[0] * ws[1] ** 2)


def f(x):
    w = np.array([x, 2.0])
    return np.sum(grad(product)([w, w])[0])


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_derivative_by_what_is_held_twice.py:12: a derivative is taken by something that holds one ndarray in two places, which cannot be followed
#
#    10 | def f(x):
#    11 |     w = np.array([x, 2.0])
#    12 |     return np.sum(grad(product)([w, w])[0])
#       |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Way out: make a copy for each place
