import numpy as np

from pullback import grad


def f(u, v):
    u[0] = u[0] * v[1]
    return np.sum(u * v)


def call():
    return grad(f, wrt=(0, 1))(*[np.array([1.0, 2.0])] * 2)


# --- refused ---
# SharedArgumentError: one_array_for_two_parameters_of_which_one_is_written.py:6: arguments `u` and `v` of `f` share memory, and `u` is written
#
#    4 |
#    5 |
#    6 | def f(u, v):
#      | ^^^^^^^^^^^^
#
#    No derivative with respect to each of them exists: they are the same array.
#    Way out: pass a copy, `v.copy()`
