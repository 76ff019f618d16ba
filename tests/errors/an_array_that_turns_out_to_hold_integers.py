import numpy as np

from pullback import grad


def f(x, n):
    s = 0
    for i in range(n):
        s += x * i
    m = np.full(3, s)
    m[0] = x
    return np.sum(m)


def call():
    return grad(f)(0.5, 0)


# --- refused ---
# UnsupportedError: an_array_that_turns_out_to_hold_integers.py:11: `m` holds integers here, which cut off the numbers written into it
#
#     9 |         s += x * i
#    10 |     m = np.full(3, s)
#    11 |     m[0] = x
#       |     ^^^^^^^^
#
#    Way out: make it an array of floats for every argument, as by `.astype(float)` or `dtype=float`
