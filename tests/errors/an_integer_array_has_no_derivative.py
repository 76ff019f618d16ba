import numpy as np

from pullback import grad


def f(u):
    return np.sum(u * u)


def call():
    return grad(f)(np.array([1, 2]))


# --- refused ---
# ArgumentError: an_integer_array_has_no_derivative.py:6: argument `u` of `f` is an array of dtype int64, which has no derivative
#
#    4 |
#    5 |
#    6 | def f(u):
#      | ^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `u`
