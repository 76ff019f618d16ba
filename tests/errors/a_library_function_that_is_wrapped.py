import numpy as np

from pullback import grad


def call():
    return grad(np.sum)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: there is no Python source for `sum`
#    Only functions written in Python can be read: no builtins, no objects with a __call__.
#    Way out: write a function that makes the call, `def f(x): return ...`.
