import numpy as np

from pullback import grad

DATA = np.ma.array([1.0, 2.0, 3.0], mask=[False, True, False])


def misfit(x):
    r = x - DATA
    return np.sum(r * r)


def call():
    return grad(misfit)(np.ones(3))


# --- refused ---
# UnsupportedError: an_array_with_an_arithmetic_of_its_own.py:9: `DATA` is a masked array, and may have an arithmetic of its own
#
#    7 |
#    8 | def misfit(x):
#    9 |     r = x - DATA
#      |     ^^^^^^^^^^^^
#
#    Way out: fill it, `.filled(0.0)`, and multiply by a mask of numbers
