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
def fan_out_grad(x, out_bar=1.0):
    """Gradient of fan_out (a_name_used_twice_gets_a_sum.py:6) with respect to x."""
    y = np.sin(x)
    z = x ** 2

    # 9: return np.dot(y, z)
    # 8: z = x ** 2
    x_bar = out_bar * 2.0 * y * x
    # 7: y = np.sin(x)
    x_bar += out_bar * z * np.cos(x)
    return x_bar
