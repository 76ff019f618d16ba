import numpy as np

from pullback import grad


class Steps:
    def __init__(self, weights):
        self.weights = weights

    def __iter__(self):
        self.weights *= 0.9
        return iter([1.0, 2.0])


def f(x):
    weights = np.array([1.0, 2.0, 3.0])
    total = np.sum(weights * x)
    for v in Steps(weights):
        total += v * x[0]
    return total


def call():
    return grad(f)(np.array([0.7, -0.4, 1.1]))


# --- refused ---
# UnsupportedError: a_loop_whose_iterator_changes_what_was_read.py:18: cannot put back what the head of this statement changes
#
#    16 |     weights = np.array([1.0, 2.0, 3.0])
#    17 |     total = np.sum(weights * x)
#    18 |     for v in Steps(weights):
#       |     ^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Asking for what it goes through, or what it tests, changes something that derivatives read.
#    Way out: go through a list, as in `for v in list(steps)`, or give what it tests a name first
