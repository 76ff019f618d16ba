"""What one variable may point to is one class of memory, before and after the branch."""

import numpy as np


def f(u, w, flag):
    if flag:
        v = u  # aliases u, w
    else:
        v = w  # aliases u, w
    a = v  # aliases u, v, w
    b = u  # aliases a, u, v, w
    return np.sum(a)


ARGS = (np.array([1.0, 2.0]), np.array([3.0, 4.0]), True)
