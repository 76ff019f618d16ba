import numpy as np

from pullback import grad


def f(u, v):
    return np.sum(u * v)


def call():
    return grad(f)(np.array([1.0, 2.0]), np.array([1.0, 2.0], dtype=object))


# --- refused ---
# ArgumentError: an_array_of_objects.py:6: argument `v` of `f` is an array of dtype object
#
#    4 |
#    5 |
#    6 | def f(u, v):
#      | ^^^^^^^^^^^^
#
#    Its arithmetic is not NumPy's.
#    Way out: convert it to a float array
