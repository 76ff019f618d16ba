import numpy as np

from pullback import grad


def f(x):
    rest = p, q = (v * 2.0 for v in x)
    return p * q + sum(rest)


def call():
    return grad(f)(np.ones(2))


# --- refused ---
# UnsupportedError: an_iterator_that_is_taken_apart_and_kept.py:7: cannot follow an iterator that is taken apart and kept
#
#    5 |
#    6 | def f(x):
#    7 |     rest = p, q = (v * 2.0 for v in x)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Nothing is left in it.
#    Way out: take a list of it apart
