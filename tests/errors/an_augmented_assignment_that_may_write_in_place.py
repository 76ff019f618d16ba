import numpy as np

from pullback import grad


def f(x, u, flag):
    y = u if flag else x
    z = y
    y += x
    return np.sum(y * z)


def call():
    return grad(f)(1.5, np.array([1.0, 2.0]), True)


# --- refused ---
# UnsupportedError: an_augmented_assignment_that_may_write_in_place.py:9: cannot tell whether this assignment writes in place
#
#    7 |     y = u if flag else x
#    8 |     z = y
#    9 |     y += x
#      |     ^^^^^^
#
#    Its target is a float on one path and an array on another, and something else refers to it.
#    Way out: write `x = x + y`, or start from an array
