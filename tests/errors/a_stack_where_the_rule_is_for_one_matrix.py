import numpy as np
import scipy.linalg

from pullback import grad


def f(u):
    return np.sum(scipy.linalg.inv(u))


def call():
    return grad(f)(np.stack([np.eye(3), np.eye(3), np.eye(3)]))


# --- refused ---
# UnsupportedError: a_stack_where_the_rule_is_for_one_matrix.py:8: the derivative rule of `inv` is for one operand, not for a stack of them
#
#    6 |
#    7 | def f(u):
#    8 |     return np.sum(scipy.linalg.inv(u))
#      |                   ^^^^^^^^^^^^^^^^^^^
#
#    An argument has more than 2 axes, or a number of them that differs from path to path.
#    Way out: call it in a loop over the first axis, or use the function of `np.linalg`
