"""What a mask removed contributes nothing, whatever its derivative is."""

import numpy as np


def soft_clip(x, top):
    y = np.sqrt(x)
    y[y > top] = top
    return np.sum(np.where(y > 0.5, y * y, 0.0))


ARGS = (np.array([0.04, 0.49, 1.5, 6.0]), 1.3)
WRT = (0, 1)
HAND_LINES = 12


# --- adjoint ---
