import numpy as np

from pullback import grad


def f(x, copied):
    y = x.astype(float, copy=copied)
    y[0] = 2.0
    return np.sum(x * y)


def call():
    return grad(f)(np.ones(3), True)


# --- refused ---
# UnsupportedError: astype_copies_or_not_by_a_variable.py:7: cannot tell whether `astype` copies here
#
#    5 |
#    6 | def f(x, copied):
#    7 |     y = x.astype(float, copy=copied)
#      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Where it does not, what is written to the result is written to the array.
#    Way out: say `copy=True` or `copy=False`
