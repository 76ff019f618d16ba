import numpy as np

from pullback import grad


def f(u):
    return np.sum(u.ctypes.data * u)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: an_attribute_without_a_derivative.py:7: cannot differentiate the attribute `data`
#
#    5 |
#    6 | def f(u):
#    7 |     return np.sum(u.ctypes.data * u)
#      |                   ^^^^^^^^^^^^^
#
#    It has no derivative rule.
#    Way out: compute it with functions that have rules
