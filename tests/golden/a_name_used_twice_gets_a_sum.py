"""`x` feeds two nodes, so its adjoint is a sum of two terms."""

import numpy as np


def fan_out(x):
    y = np.sin(x)
    z = x ** 2
    return np.dot(y, z)


ARGS = (np.array([0.3, 1.1, 2.0]),)
WRT = 0
HAND_LINES = 8


# --- adjoint ---
