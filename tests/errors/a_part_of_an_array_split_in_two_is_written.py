import numpy as np

from pullback import grad


def f(u):
    v = u * 1.0
    left, right = np.split(v, 2)
    left[0] = right[0] * 3.0
    return np.sum(v)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: a_part_of_an_array_split_in_two_is_written.py:8: cannot tell whether this is a view or a number
#
#    6 | def f(u):
#    7 |     v = u * 1.0
#    8 |     left, right = np.split(v, 2)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    The array is written, and the index's type cannot be settled.
#    Way out: index with integers and slices
