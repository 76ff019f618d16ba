import numpy as np

from pullback import grad


def f(u):
    u = u * 1.0
    try:
        u /= np.zeros(2)
    except FloatingPointError:
        u[0] = 1.0
    return np.sum(u)


def call():
    with np.errstate(divide="raise"):
        return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: an_array_half_changed_when_its_operation_fails.py:9: an array was changed in place by an operation that then raised FloatingPointError, which a derivative cannot take back
#
#    7 |     u = u * 1.0
#    8 |     try:
#    9 |         u /= np.zeros(2)
#      |         ^^^^^^^^^^^^^^^^
#
#    Way out: compute a new array inside `try`
