import numpy as np

from pullback import grad


def f(x, n):
    values = []
    for i in range(n):
        values.append(x + i)
    return np.dot(*values)


def call():
    return grad(f)(1.5, 2)


# --- refused ---
# UnsupportedError: a_starred_argument_of_a_primitive.py:10: cannot match these arguments with the rule
#
#     8 |     for i in range(n):
#     9 |         values.append(x + i)
#    10 |     return np.dot(*values)
#       |            ^^^^^^^^^^^^^^^
#
#    A starred argument hides which is which.
#    Way out: pass them one by one
