import numpy as np

from pullback import grad


def f(u):
    v = u if u[0] > 0.0 else u[1]
    return sum(v.tolist())


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: tolist_of_an_active_array.py:8: cannot follow `tolist()` of an active array
#
#    6 | def f(u):
#    7 |     v = u if u[0] > 0.0 else u[1]
#    8 |     return sum(v.tolist())
#      |                ^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
