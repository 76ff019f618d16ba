"""An array made on the memory of another one may read it with another shape and dtype."""

import numpy as np

from pullback import grad


def f(x):
    pairs = np.ndarray((2, 2), buffer=x)
    return np.sum(pairs[0])


def call():
    return grad(f)(np.ones(4))


# --- refused ---
# UnsupportedError: an_array_on_an_active_buffer.py:9: cannot follow an array made on the memory of another
#
#    7 |
#    8 | def f(x):
#    9 |     pairs = np.ndarray((2, 2), buffer=x)
#      |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It may read an active array with any shape and dtype.
#    Way out: use `reshape`, slices or `.T`, which are views too
