import numpy as np

from pullback import grad


def f(u):
    return sum(u.tolist())


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: tolist_of_an_active_array.py:7: cannot follow `tolist()` of an active array
#
#    5 |
#    6 | def f(u):
#    7 |     return sum(u.tolist())
#      |                ^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
