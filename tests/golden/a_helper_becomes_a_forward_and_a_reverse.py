"""A helper becomes a forward that returns what it saves, and a reverse that uses it."""

import numpy as np


def damped(x, k):
    for i in range(3):
        x = x * np.exp(-k * x)
    return x


def two_damped(x, k):
    a = damped(x, k)
    b = damped(a, 2.0 * k)
    return a * b


ARGS = (0.8, 0.3)
WRT = (0, 1)
HAND_LINES = 28


# --- adjoint ---
