"""An array that is written has a shadow, and a view of it has a view of the shadow."""

import numpy as np


def view_then_mutate(x):
    u = np.empty(5)
    for i in range(5):
        u[i] = x * i
    v = u[1:3]
    v *= u[4]
    return np.sum(u * u)


ARGS = (0.7,)
WRT = 0
HAND_LINES = 18


# --- adjoint ---
