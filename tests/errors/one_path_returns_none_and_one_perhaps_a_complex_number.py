import numpy as np

from pullback import grad


def f(x):
    if x > 9.0:
        return np.emath.sqrt(x)


def call():
    return grad(f)(0.3)


# --- refused ---
# UnsupportedError: one_path_returns_none_and_one_perhaps_a_complex_number.py:6: `f` returned None, which has no gradient
#
#    4 |
#    5 |
#    6 | def f(x):
#      | ^^^^^^^^^
#
#    Way out: add the `return` that one of its paths lacks
