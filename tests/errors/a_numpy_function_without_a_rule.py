import numpy as np

from pullback import grad


def f(u):
    return np.sum(np.union1d(u[0], u[1]))


def call():
    return grad(f)(np.array([[1.0, 2.0], [3.0, 4.0]]))


# --- refused ---
# UnsupportedError: a_numpy_function_without_a_rule.py:7: no derivative rule for `np.union1d`
#
#    5 |
#    6 | def f(u):
#    7 |     return np.sum(np.union1d(u[0], u[1]))
#      |                   ^^^^^^^^^^^^^^^^^^^^^^
#
#    `union1d` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
