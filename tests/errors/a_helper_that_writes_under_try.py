import math

import numpy as np

from pullback import grad


def fill(u, x):
    u[0] = x * x
    u[1] = math.log(x)


def f(x):
    u = np.zeros(2)
    try:
        fill(u, x)
    except ValueError:
        u[1] = x
    return np.sum(u)


def call():
    return grad(f)(-1.5)


# --- refused ---
# UnsupportedError: a_helper_that_writes_under_try.py:16: a function that changes what its caller sees raised ValueError, and what it did until then a derivative cannot take back
#
#    14 |     u = np.zeros(2)
#    15 |     try:
#    16 |         fill(u, x)
#       |         ^^^^^^^^^^
#
#    Way out: let it return what it computes, and write outside the `try` statement
