import numpy as np

from pullback import jvp


def f(u):
    return np.std(u * 1j)


def call():
    return jvp(f, (np.array([1.0, 2.0]),), (np.array([1.0, 0.0]),))


# --- refused ---
# UnsupportedError: a_complex_argument_in_forward_mode.py:7: the derivative rule of `std` is for real arguments only
#
#    5 |
#    6 | def f(u):
#    7 |     return np.std(u * 1j)
#      |            ^^^^^^^^^^^^^^
#
#    An argument is complex.
#    Way out: compute it from `z.real` and `z.imag`
