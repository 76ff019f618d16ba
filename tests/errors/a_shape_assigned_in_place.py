"""A view is made by a function; an array that changes its own shape does so under all of its names."""

import numpy as np

from pullback import grad


def f(x):
    y = 2.0 * x
    y.shape = (2, 2)
    return np.sum(y[0])


def call():
    return grad(f)(np.ones(4))


# --- refused ---
# UnsupportedError: a_shape_assigned_in_place.py:10: cannot follow an assignment to the `shape` of an active array
#
#     8 | def f(x):
#     9 |     y = 2.0 * x
#    10 |     y.shape = (2, 2)
#       |     ^^^^^^^^^^^^^^^^
#
#    It changes the array itself, for all who refer to it.
#    Way out: make a view, `x = x.reshape(...)`
