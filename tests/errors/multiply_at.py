import numpy as np

from pullback import grad


def f(u, v):
    w = u * 1.0
    np.multiply.at(w, ([0, 0],), v)
    return np.sum(w)


def call():
    return grad(f)(np.array([1.0, 2.0]), np.array([3.0, 4.0]))


# --- refused ---
# UnsupportedError: multiply_at.py:8: cannot reverse `np.multiply.at`
#
#    6 | def f(u, v):
#    7 |     w = u * 1.0
#    8 |     np.multiply.at(w, ([0, 0],), v)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It writes into the array once for each index, repeated ones included.
#    Way out: use `np.add.at`, or a loop over the indices
