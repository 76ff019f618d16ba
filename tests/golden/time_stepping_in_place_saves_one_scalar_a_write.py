"""Only what the reverse sweep needs is saved: one scalar a write."""

import numpy as np


def relax(u, steps):
    u = u.copy()
    for t in range(steps):
        for i in range(1, len(u) - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * np.sin(u[i]) + 0.25 * u[i + 1]
    return np.sum(u ** 2)


ARGS = (np.linspace(0.1, 1.0, 8), 4)
WRT = 0
HAND_LINES = 18


# --- adjoint ---
