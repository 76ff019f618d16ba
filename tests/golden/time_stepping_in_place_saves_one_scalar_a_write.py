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
def relax_grad(u, steps, out_bar=1.0):
    """Gradient of relax (time_stepping_in_place_saves_one_scalar_a_write.py:6) with respect to u."""
    u_saved = []
    u = u.copy()
    u_shadow = np.zeros_like(u)
    for t in range(steps):
        for i in range(1, len(u) - 1):
            u_saved.append(u[i])
            u[i] = 0.25 * u[i - 1] + 0.5 * np.sin(u[i]) + 0.25 * u[i + 1]

    # 11: return np.sum(u ** 2)
    u_shadow += out_bar * 2.0 * u
    for t in reversed(range(steps)):
        for i in reversed(range(1, len(u) - 1)):
            # 10: u[i] = 0.25 * u[i - 1] + 0.5 * np.sin(u[i]) + 0.25 * u[i + 1]
            entry_bar = u_shadow[i]
            u[i] = u_saved.pop()
            u_shadow[i] = entry_bar * 0.5 * np.cos(u[i])
            u_shadow[i - 1] += entry_bar * 0.25
            u_shadow[i + 1] += entry_bar * 0.25
    # 7: u = u.copy()
    u_bar = u_shadow
    return u_bar
