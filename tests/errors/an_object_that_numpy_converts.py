import numpy as np

from pullback import grad


class Length:
    def __init__(self, metres):
        self.metres = metres

    def __array__(self, dtype=None, copy=None):
        return np.array([self.metres])


def f(x):
    return np.sum(np.sin(Length(x)))


def call():
    return grad(f)(0.5)


# --- refused ---
# UnsupportedError: an_object_that_numpy_converts.py:15: cannot follow what this makes of an object
#
#    13 |
#    14 | def f(x):
#    15 |     return np.sum(np.sin(Length(x)))
#       |                   ^^^^^^^^^^^^^^^^^
#
#    It converts the object in a way of its own, such as `__float__` or `__array__`.
#    Way out: pass the number or array that the object holds
