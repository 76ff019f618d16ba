import math

from pullback import grad


def call():
    return grad(math.sin)


# --- refused ---
# UnsupportedError: there is no Python source for `sin`
#    Only functions written in Python can be read: no builtins, no objects with a __call__.
#    Way out: write a function that makes the call, `def f(x): return ...`.
