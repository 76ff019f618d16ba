import numpy as np

from pullback import grad


def f(x):
    weights = np.array([1.0, 2.0])

    def order(v):
        weights[0] += 1.0
        return -v

    return max((v * weights[0] for v in x), key=order)


def call():
    return grad(f)(np.array([0.7, -0.4, 1.1]))


# --- refused ---
# UnsupportedError: a_key_that_changes_what_a_generator_reads.py:13: cannot follow this generator: what it reads is changed between two items
#
#    11 |         return -v
#    12 |
#    13 |     return max((v * weights[0] for v in x), key=order)
#       |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Its items are all made before the first is read.
#    Way out: make a list first, or compute the items in the loop
