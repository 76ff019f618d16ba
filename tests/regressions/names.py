"""Functions of the user's that are called like those that are generated."""

import math

import numpy as np
from scipy import special

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


@case(np.array([0.3, 0.7, 1.2, 0.5]))
def variables_named_as_those_of_a_rule(x):
    z, total = 0.0, x[0]
    for k in range(2):
        total += math.prod([x[k], x[2], x[3]]) * math.dist([x[k], x[1]], [x[2], 2.0])
    for i in range(2):
        total *= special.multigammaln(2.0 + x[i], 2)
    if total < 100.0:
        x = math.hypot(x[1], total)
    return x + z
