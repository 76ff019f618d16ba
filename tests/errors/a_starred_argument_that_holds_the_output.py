"""Where a call writes to is in the text, not in a list of unknown length."""

import numpy as np

from pullback import grad


def f(x):
    parts = [x, x]
    parts.append(np.zeros(3))
    np.multiply(*parts)
    return np.sum(parts[2])


def call():
    return grad(f)(np.ones(3))


# --- refused ---
# UnsupportedError: a_starred_argument_that_holds_the_output.py:11: cannot follow what this call writes
#
#     9 |     parts = [x, x]
#    10 |     parts.append(np.zeros(3))
#    11 |     np.multiply(*parts)
#       |     ^^^^^^^^^^^^^^^^^^^
#
#    A starred argument may hold its `out`.
#    Way out: pass the arguments one by one
