import numpy as np

from pullback import grad


def f(x):
    return np.sum(np.r_[x, 1:5])


def call():
    return grad(f)(2.0)


# --- refused ---
# UnsupportedError: a_slice_in_what_r_joins.py:7: cannot follow what is joined here
#
#    5 |
#    6 | def f(x):
#    7 |     return np.sum(np.r_[x, 1:5])
#      |                   ^^^^^^^^^^^^^
#
#    It holds a slice, a string, or a part of a rank that is not known.
#    Way out: join the parts with `np.concatenate`, `np.hstack` or `np.column_stack`
