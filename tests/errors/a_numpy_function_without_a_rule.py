import numpy as np

from pullback import grad


def f(u):
    np.fill_diagonal(u, 0.0)
    return np.sum(u * u)


def call():
    return grad(f)(np.array([[1.0, 2.0], [3.0, 4.0]]))


# --- refused ---
# UnsupportedError: a_numpy_function_without_a_rule.py:7: no derivative rule for `np.fill_diagonal`
#
#    5 |
#    6 | def f(u):
#    7 |     np.fill_diagonal(u, 0.0)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^
#
#    `fill_diagonal` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
