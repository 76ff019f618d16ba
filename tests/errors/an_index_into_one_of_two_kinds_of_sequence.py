import numpy as np

from pullback import grad


def f(u, k):
    left, right = np.split(u, k) if k else (u, u)
    return left[0] * right[0]


def call():
    return grad(f)(np.array([1.0, 2.0]), 2)


# --- refused ---
# UnsupportedError: an_index_into_one_of_two_kinds_of_sequence.py:7: cannot index this expression
#
#    5 |
#    6 | def f(u, k):
#    7 |     left, right = np.split(u, k) if k else (u, u)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    What it is differs from path to path, or is not followed.
#    Way out: make it a list, a tuple or an array on every path
#
# an_index_into_one_of_two_kinds_of_sequence.py:7: cannot follow this container
#
#    5 |
#    6 | def f(u, k):
#    7 |     left, right = np.split(u, k) if k else (u, u)
#      |                   ^^^^^^^^^^^^^^
#
#    It is made in a way that hides which of its elements come from where.
#    Way out: build it element by element, in a loop or a comprehension
#
# an_index_into_one_of_two_kinds_of_sequence.py:8: cannot index this expression
#
#    6 | def f(u, k):
#    7 |     left, right = np.split(u, k) if k else (u, u)
#    8 |     return left[0] * right[0]
#      |            ^^^^^^^
#
#    What it is differs from path to path, or is not followed.
#    Way out: make it a list, a tuple or an array on every path
#
# an_index_into_one_of_two_kinds_of_sequence.py:8: cannot index this expression
#
#    6 | def f(u, k):
#    7 |     left, right = np.split(u, k) if k else (u, u)
#    8 |     return left[0] * right[0]
#      |                      ^^^^^^^^
#
#    What it is differs from path to path, or is not followed.
#    Way out: make it a list, a tuple or an array on every path
