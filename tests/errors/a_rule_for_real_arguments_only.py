import numpy as np

from pullback import grad


def f(u):
    return np.std(u * 1j)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: a_rule_for_real_arguments_only.py:7: the derivative rule of `std` is for real arguments only
#
#    5 |
#    6 | def f(u):
#    7 |     return np.std(u * 1j)
#      |            ^^^^^^^^^^^^^^
#
#    An argument is complex.
#    Way out: compute it from `z.real` and `z.imag`
