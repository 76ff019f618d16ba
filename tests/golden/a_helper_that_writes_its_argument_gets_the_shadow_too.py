"""A helper that writes its argument is given the array and its shadow together."""

import numpy as np


def add_scaled(out, v, a):
    for i in range(len(out)):
        out[i] += a * v[i] * out[i]


def two_sweeps(v, a):
    w = v * v
    add_scaled(w, v, a)
    add_scaled(w, w[::-1], 0.5)
    return w @ v


ARGS = (np.array([0.7, -1.2, 0.4]), 0.3)
WRT = (0, 1)
HAND_LINES = 27


# --- adjoint ---
