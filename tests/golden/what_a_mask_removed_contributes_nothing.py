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
def soft_clip_grad(x, top, out_bar=1.0):
    """Gradient of soft_clip (what_a_mask_removed_contributes_nothing.py:6) with respect to x and top."""
    y = np.sqrt(x)
    y_bar = np.zeros_like(y)
    y_above = y > top
    y_saved = y[y_above]
    y[y_above] = top
    y_above2 = y > 0.5

    # 9: return np.sum(np.where(y > 0.5, y * y, 0.0))
    y_bar += masked_product(np.where(y_above2, out_bar, 0.0), 2.0 * y)
    # 8: y[y > top] = top
    part_bar = y_bar[y_above].copy()
    y_bar[y_above] = 0.0
    y[y_above] = y_saved
    top_bar = np.sum(part_bar)
    # 7: y = np.sqrt(x)
    x_bar = masked_product(y_bar, 0.5 / y)
    return x_bar, top_bar
