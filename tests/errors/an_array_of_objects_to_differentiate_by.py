import numpy as np

from pullback import grad


def f(u):
    return np.sum(u)


def call():
    return grad(f)(np.array([1.0, 2.0], dtype=object))


# --- refused ---
# ArgumentError: an_array_of_objects_to_differentiate_by.py:6: argument `u` of `f` is an array of dtype object, which has no derivative
#
#    4 |
#    5 |
#    6 | def f(u):
#      | ^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `u`
