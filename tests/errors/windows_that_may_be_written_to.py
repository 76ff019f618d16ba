import numpy as np

from pullback import grad


def f(x):
    windows = np.lib.stride_tricks.sliding_window_view(x, 2, writeable=True)
    windows[0] = 2.0
    return np.sum(windows**2)


def call():
    return grad(f)(np.ones(4))


# --- refused ---
# UnsupportedError: windows_that_may_be_written_to.py:7: cannot follow windows that may be written to
#
#    5 |
#    6 | def f(x):
#    7 |     windows = np.lib.stride_tricks.sliding_window_view(x, 2, writeable=True)
#      |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Each entry stands in several of them, so that their adjoints overlap.
#    Way out: leave `writeable` out, and write to the array itself
