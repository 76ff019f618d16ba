import numpy as np

from pullback import grad


def f(x, u, places):
    parts = [x, u]
    parts[places.pop()] += x
    return np.sum(parts[0] * parts[1])


def call():
    return grad(f)(1.5, np.array([1.0, 2.0]), [0, 1])


# --- refused ---
# UnsupportedError: an_augmented_assignment_that_may_write_in_place.py:8: cannot tell whether this assignment writes in place
#
#    6 | def f(x, u, places):
#    7 |     parts = [x, u]
#    8 |     parts[places.pop()] += x
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It is a number on one path and an array on another, and its place holds a call, or its operator is rare.
#    Way out: give what is called a name first, or write `x = x + y`
