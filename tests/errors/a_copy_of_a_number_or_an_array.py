import copy

import numpy as np

from pullback import grad


def f(x):
    v = x if x < 1.0 else np.array([x, x])
    return np.sum(copy.copy(v))


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_copy_of_a_number_or_an_array.py:10: cannot follow a copy of this
#
#     8 | def f(x):
#     9 |     v = x if x < 1.0 else np.array([x, x])
#    10 |     return np.sum(copy.copy(v))
#       |                   ^^^^^^^^^^^^
#
#    Which of its parts are new, and of which types, is not known.
#    Way out: copy its parts one by one
