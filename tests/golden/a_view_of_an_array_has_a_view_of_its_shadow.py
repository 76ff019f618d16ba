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
def view_then_mutate_grad(x, out_bar=1.0):
    """Gradient of view_then_mutate (a_view_of_an_array_has_a_view_of_its_shadow.py:6) with respect to x."""
    u = np.empty(5)
    u_bar = np.zeros_like(u)
    for i in range(5):
        u[i] = x * i
    v = u[1:3]
    v_bar = u_bar[1:3]
    v_saved = v.copy()
    v *= u[4]

    # 12: return np.sum(u * u)
    u_bar += out_bar * 2.0 * u
    # 11: v *= u[4]
    part_bar = v_bar.copy()
    v[...] = v_saved
    v_bar[...] = part_bar * u[4]
    u_bar[4] += np.dot(part_bar, v)
    x_bar = 0.0
    for i in reversed(range(5)):
        # 9: u[i] = x * i
        x_bar += u_bar[i] * i
        u_bar[i] = 0.0
    return x_bar
