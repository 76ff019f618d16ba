import numpy as np

from pullback import grad


def f(u):
    v = u * 2.0
    v.partition(1)
    return v[0]


def call():
    return grad(f)(np.array([2.0, 1.0, 3.0]))


# --- refused ---
# UnsupportedError: partition_in_place.py:8: cannot reverse the in-place method `partition`
#
#    6 | def f(u):
#    7 |     v = u * 2.0
#    8 |     v.partition(1)
#      |     ^^^^^^^^^^^^^^
#
#    It changes the size or the order of an active array in place.
#    Way out: make a new array, as `np.partition`, `np.where`, `np.pad` or an index do
