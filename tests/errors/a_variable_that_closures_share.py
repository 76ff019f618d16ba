import numpy as np

from pullback import grad


def made():
    n = 2.0

    def grow(v):
        nonlocal n
        n = n * v

    def loss(q):
        grow(q[0])
        return np.sum(q**2) * n

    return loss


def call():
    return grad(made())(np.array([0.6, 0.8]))


# --- refused ---
# UnsupportedError: a_variable_that_closures_share.py:14: cannot follow `n`, which a function called here shares
#
#    12 |
#    13 |     def loss(q):
#    14 |         grow(q[0])
#       |         ^^^^^^^^^^
#
#    It is a variable of a closure that exists already, and a call binds it anew.
#    Way out: return the new value, or define the functions inside the one that is differentiated
