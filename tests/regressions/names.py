"""Functions of the user's that are called like those that are generated."""

import numpy as np

from regressions import Cases

CASES = case = Cases()


def energy(x):
    y = x * x
    return y * np.sin(y)


def energy_reverse(k):
    return k + 1.0


def energy_forward(k):
    return k + 2.0


def called_like_generated_ones_grad(k):
    return k + 3.0


def called_like_generated_ones_tangent(k):
    return k + 4.0


def scaled(x, k):
    return x * energy_reverse(k) * energy_forward(k) * np.floor(energy(k))


@case(1.3)
def called_like_generated_ones(x):
    s = 0.0
    for i in range(3):
        s += energy(x) * energy_reverse(2.0) * energy_forward(i) * called_like_generated_ones_grad(i)
        s += energy(x) * scaled(x, i) * called_like_generated_ones_tangent(i)
    return s
