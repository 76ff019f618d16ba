import numpy as np

from pullback import grad


def f(x):
    head = None
    for v in x:
        head = (v, head)
    total = 0.0
    while head is not None:
        total += head[0] ** 2
        head = head[1]
    return total


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
# UnsupportedError: tuples_in_tuples_without_end.py:9: cannot tell where this adjoint goes
#
#    7 |     head = None
#    8 |     for v in x:
#    9 |         head = (v, head)
#      |                    ^^^^
#
#    Each round puts the last tuple into a new one, so its type has no end.
#    Way out: append to a list, or make it an object of a class
#
# tuples_in_tuples_without_end.py:12: cannot index this expression
#
#    10 |     total = 0.0
#    11 |     while head is not None:
#    12 |         total += head[0] ** 2
#       |                  ^^^^^^^
#
#    What it is differs from path to path, or is not followed.
#    Way out: make it a list, a tuple or an array on every path
#
# tuples_in_tuples_without_end.py:13: cannot index this expression
#
#    11 |     while head is not None:
#    12 |         total += head[0] ** 2
#    13 |         head = head[1]
#       |                ^^^^^^^
#
#    What it is differs from path to path, or is not followed.
#    Way out: make it a list, a tuple or an array on every path
