import numpy as np

from pullback import grad


def f(u):
    return np.sum(u * u)


def call():
    return grad(f)(np.ma.array([1.0, 2.0], mask=[False, True]))


# --- refused ---
# ArgumentError: a_masked_array.py:6: argument `u` of `f` is a masked array, which has no derivative
#
#    4 |
#    5 |
#    6 | def f(u):
#      | ^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `u`
