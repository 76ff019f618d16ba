import numpy as np

from pullback import grad


def loss(m):
    m = m * 2.0
    m.flat = m.T
    return np.sum(m * m)


def call():
    return grad(loss)(np.arange(4.0).reshape(2, 2))


# --- refused ---
# UnsupportedError: an_array_written_in_order_from_itself.py:8: an array is written entry by entry from its own memory, of which NumPy reads entries after it wrote them
#
#    6 | def loss(m):
#    7 |     m = m * 2.0
#    8 |     m.flat = m.T
#      |     ^^^^^^^^^^^^
#
#    Way out: write a copy, `.copy()`
