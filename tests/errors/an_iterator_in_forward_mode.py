import numpy as np

from pullback import jvp


def f(u):
    total = 0.0
    for v in np.nditer(u, flags=["c_index"]):
        total = total + v * v
    return total


def call():
    return jvp(f, (np.array([1.0, 2.0]),), (np.array([1.0, 0.0]),))


# --- refused ---
# UnsupportedError: an_iterator_in_forward_mode.py:8: no derivative rule for `nditer`
#
#    6 | def f(u):
#    7 |     total = 0.0
#    8 |     for v in np.nditer(u, flags=["c_index"]):
#      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    `nditer` is opaque: pullback cannot read its constructor.
#    Way out: keep the values in a list, a dict or an array
