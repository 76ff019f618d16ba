import numpy as np

from pullback import grad


def f(u):
    return u * u


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# ArgumentError: an_array_is_returned.py:6: `f` returns an array of rank 1, not a scalar
#
#    4 |
#    5 |
#    6 | def f(u):
#      | ^^^^^^^^^
#
#    A gradient is that of one number.
#    Way out: return a sum or another single number of it, or use `vjp`
