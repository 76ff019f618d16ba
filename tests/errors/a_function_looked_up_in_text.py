import numpy as np

from pullback import grad


def f(x, name):
    g = getattr(np, name)
    return g(x) * x


def call():
    return grad(f)(1.5, "sin")


# --- refused ---
# UnsupportedError: a_function_looked_up_in_text.py:8: cannot tell what `g` calls
#
#    6 | def f(x, name):
#    7 |     g = getattr(np, name)
#    8 |     return g(x) * x
#      |            ^^^^
#
#    An active value goes into a function that is chosen at run time.
#    Way out: call it by a name that pullback can look up: a global, a local function or an argument
