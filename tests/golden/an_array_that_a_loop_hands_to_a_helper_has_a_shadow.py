"""A helper that reads entries of an array adds to its shadow, and makes no adjoint as large as the array in each round."""

import numpy as np


def flux(u, i):
    return u[i] * u[i + 1]


def total(u):
    s = 0.0
    for i in range(len(u) - 1):
        s += flux(u, i)
    return s


ARGS = (np.array([0.5, -1.0, 2.0, 0.3]),)
WRT = 0
HAND_LINES = 18


# --- adjoint ---
def flux_forward(u, u_bar, i):
    """flux (an_array_that_a_loop_hands_to_a_helper_has_a_shadow.py:6), with what its reverse needs."""
    return u[i] * u[i + 1], (i, u, u_bar)


def flux_reverse(saved, out_bar):
    """Adjoints of the memory that flux writes."""
    i, u, u_bar = saved
    # 7: return u[i] * u[i + 1]
    u_bar[i] += out_bar * u[i + 1]
    u_bar[i + 1] += out_bar * u[i]


def total_grad(u, s_bar=1.0):
    """Gradient of total (an_array_that_a_loop_hands_to_a_helper_has_a_shadow.py:10) with respect to u."""
    u_bar = np.zeros_like(u)
    saved_flux_saved = []
    s = 0.0
    for i in range(len(u) - 1):
        flux_u, saved_flux = flux_forward(u, u_bar, i)
        s += flux_u
        saved_flux_saved.append(saved_flux)

    for i in reversed(range(len(u) - 1)):
        saved_flux = saved_flux_saved.pop()
        # 13: s += flux(u, i)
        flux_reverse(saved_flux, s_bar)
    return u_bar
