"""Closures that exist already and bind their variables anew: a derivative leaves them as it found them."""

import numpy as np

from pullback import grad, jvp
from regressions import Cases

CASES = case = Cases()


def counted():
    n = 0

    def loss(q):
        nonlocal n
        n += 1
        return np.sum(q**2)

    return loss


def grown():
    n = 2.0

    def loss(q):
        nonlocal n
        n = n * np.sum(q)
        return np.sum(q**2) * n

    return loss


COUNTED, GROWN = counted(), grown()


@case(np.array([0.6, 0.8, 1.1]))
def derivatives_inside_leave_the_count(q):
    return np.sum(grad(COUNTED)(q) ** 2) + jvp(COUNTED, (q,), (q,))[1]


@case(np.array([0.6, 0.8, 1.1]))
def derivatives_inside_of_what_grows(q):
    return np.sum(grad(GROWN)(q) * grad(GROWN)(2.0 * q)) + jvp(GROWN, (q,), (q,))[1]
