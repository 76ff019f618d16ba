import numpy as np

from pullback import grad


def f(x, u, flag):
    y = u[0] if flag else u
    y += x
    return np.sum(y) + np.sum(u)


def call():
    return grad(f)(1.5, np.array([1.0, 2.0]), True)


# --- refused ---
# UnsupportedError: a_view_of_one_path_is_a_number_of_the_other.py:8: cannot tell whether this assignment writes in place
#
#    6 | def f(x, u, flag):
#    7 |     y = u[0] if flag else u
#    8 |     y += x
#      |     ^^^^^^
#
#    Its target is a float on one path and an array on another, and something else refers to it.
#    Way out: write `x = x + y`, or start from an array
