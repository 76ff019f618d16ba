import numpy as np

from pullback import grad


def f(rows):
    rows[0][0] = 2.0 * rows[1][0]
    return np.sum(rows[0] * rows[1])


def call():
    row = np.array([1.0, 2.0])
    return grad(f)([row, row[::-1]])


# --- refused ---
# SharedArgumentError: a_written_list_of_overlapping_arrays.py:6: argument `rows` of `f` holds overlapping arrays, and is written
#
#    4 |
#    5 |
#    6 | def f(rows):
#      | ^^^^^^^^^^^^
#
#    No derivative with respect to each of them exists: they are the same array.
#    Way out: pass copies
