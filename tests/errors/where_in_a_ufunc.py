import numpy as np

from pullback import grad


def f(u):
    return np.sum(np.exp(u, where=u > 0.0))


def call():
    return grad(f)(np.array([1.0, -2.0]))


# --- refused ---
# UnsupportedError: where_in_a_ufunc.py:7: the derivative rule of `exp` does not know the argument `where`
#
#    5 |
#    6 | def f(u):
#    7 |     return np.sum(np.exp(u, where=u > 0.0))
#      |                   ^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It knows x.
#    Way out: leave the argument out, or do what it does in a statement of its own
