import numpy as np

from pullback import grad


def f(u):
    return np.std(u, mean=1.5)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: an_argument_that_the_rule_does_not_know.py:7: the derivative rule of `std` does not know the argument `mean`
#
#    5 |
#    6 | def f(u):
#    7 |     return np.std(u, mean=1.5)
#      |            ^^^^^^^^^^^^^^^^^^^
#
#    It knows a, axis, dtype, ddof, keepdims, where.
#    Way out: leave the argument out, or do what it does in a statement of its own
