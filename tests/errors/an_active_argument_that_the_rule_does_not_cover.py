import numpy as np

from pullback import grad


def f(p):
    return np.sum(np.quantile(np.array([1.0, 2.0, 4.0]), p))


def call():
    return grad(f)(0.4)


# --- refused ---
# UnsupportedError: an_active_argument_that_the_rule_does_not_cover.py:7: the derivative rule of `quantile` does not say what `q` does
#
#    5 |
#    6 | def f(p):
#    7 |     return np.sum(np.quantile(np.array([1.0, 2.0, 4.0]), p))
#      |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    `q` is active here.
#    Way out: pass a constant, or write the formula out
