import numpy as np

from pullback import grad, vjp


def f(x):
    scale = x * 2.0
    y, pull = vjp(lambda z: np.sum(z**3 * scale), x)
    scale[0] = 5.0
    return np.sum(pull(y))


def call():
    return grad(f)(np.array([0.4, -0.7, 1.1]))


# --- refused ---
# UnsupportedError: a_vjp_that_captures_what_is_written.py:8: cannot tell which derivative this takes
#
#    6 | def f(x):
#    7 |     scale = x * 2.0
#    8 |     y, pull = vjp(lambda z: np.sum(z**3 * scale), x)
#      |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It captures `scale`, which is written in place.
#    Way out: name the function, and give `wrt` as a literal
