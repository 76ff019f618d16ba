"""Names are swapped, so their shadows are swapped with them."""

import numpy as np


def diffuse(u, k, steps):
    cur = u.copy()
    nxt = np.zeros_like(u)
    for t in range(steps):
        nxt[1:-1] = cur[1:-1] + k * (cur[2:] - 2.0 * cur[1:-1] + cur[:-2])
        cur, nxt = nxt, cur
    return np.sum(cur ** 2)


ARGS = (np.array([0.2, 1.0, -0.4, 0.9, 0.3]), 0.15, 5)
WRT = (0, 1)
HAND_LINES = 24


# --- adjoint ---
