import numpy as np

from pullback import grad


def f(a):
    pair = (a * 1.0, a[0])
    pair[0][0] = 2.0 * pair[1]
    total = 0.0
    for part in pair:
        total += np.sum(part**2)
    return total


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: a_number_or_a_written_array.py:10: cannot tell whether `part` is a number or an array
#
#     8 |     pair[0][0] = 2.0 * pair[1]
#     9 |     total = 0.0
#    10 |     for part in pair:
#       |     ^^^^^^^^^^^^^^^^^
#
#    It is a number on one path and on another an array that is written, or held by a container.
#    Way out: use two names, or arrays on every path
