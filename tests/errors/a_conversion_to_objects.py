import numpy as np

from pullback import grad


def f(u):
    return u.astype(object)[1] * 1.0


def call():
    return grad(f)(np.array([1.0, -2.0]))


# --- refused ---
# UnsupportedError: a_conversion_to_objects.py:7: cannot differentiate through this conversion
#
#    5 |
#    6 | def f(u):
#    7 |     return u.astype(object)[1] * 1.0
#      |            ^^^^^^^^^^^^^^^^
#
#    An array of dtype object carries no derivative.
#    Way out: convert to a dtype of floats that the text names
