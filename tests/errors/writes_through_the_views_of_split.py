import numpy as np

from pullback import grad


def f(u):
    v = u * 1.0
    left, right = np.split(v, [1])
    left *= 2.0
    return np.sum(v * v)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: writes_through_the_views_of_split.py:8: cannot follow writes through these views
#
#    6 | def f(u):
#    7 |     v = u * 1.0
#    8 |     left, right = np.split(v, [1])
#      |                   ^^^^^^^^^^^^^^^^
#
#    The parts of an array are views, and it is written.
#    Way out: take the parts by slices
