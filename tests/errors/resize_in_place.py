import numpy as np

from pullback import grad


def f(u):
    v = u * 2.0
    v.resize(3, refcheck=False)
    return np.sum(v)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: resize_in_place.py:8: cannot reverse the in-place method `resize`
#
#    6 | def f(u):
#    7 |     v = u * 2.0
#    8 |     v.resize(3, refcheck=False)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It changes the size or the order of an active array in place.
#    Way out: make a new array, as `np.resize`, `np.where`, `np.pad` or an index do
