import numpy as np

from pullback import grad


def f(mean):
    rng = np.random.default_rng(0)
    return rng.normal(mean, 1.0)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_draw_with_active_parameters.py:8: cannot differentiate a draw by its parameters
#
#    6 | def f(mean):
#    7 |     rng = np.random.default_rng(0)
#    8 |     return rng.normal(mean, 1.0)
#      |            ^^^^^^^^^^^^^^^^^^^^^
#
#    Random numbers are inert: how they depend on these is not in the text.
#    Way out: draw standard numbers, and shift and scale them, as in `mean + scale * rng.standard_normal(n)`
