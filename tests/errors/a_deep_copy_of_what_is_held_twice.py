import copy

import numpy as np

from pullback import grad


def f(x):
    a = x * np.ones(2)
    pair = copy.deepcopy([a, a])
    pair[0][0] = 3.0
    return np.sum(pair[1])


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_deep_copy_of_what_is_held_twice.py:10: a deep copy is made of something that holds one ndarray in two places, which cannot be followed
#
#     8 | def f(x):
#     9 |     a = x * np.ones(2)
#    10 |     pair = copy.deepcopy([a, a])
#       |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Way out: make a copy for each place
