"""A helper that writes its argument is given the array and its shadow together."""

import numpy as np


def add_scaled(out, v, a):
    for i in range(len(out)):
        out[i] += a * v[i] * out[i]


def two_sweeps(v, a):
    w = v * v
    add_scaled(w, v, a)
    add_scaled(w, w[::-1], 0.5)
    return w @ v


ARGS = (np.array([0.7, -1.2, 0.4]), 0.3)
WRT = (0, 1)
HAND_LINES = 27


# --- adjoint ---
def add_scaled_forward(out, out_bar, v, v_bar, a):
    """add_scaled (a_helper_that_writes_its_argument_gets_the_shadow_too.py:6), with what its reverse needs."""
    out_saved = []
    for i in range(len(out)):
        out_saved.append(out[i])
        out[i] += a * v[i] * out[i]
    result = None
    return result, (a, out, out_bar, out_saved, v, v_bar)


def add_scaled_reverse(saved):
    """Adjoints of a."""
    a, out, out_bar, out_saved, v, v_bar = saved
    a_bar = 0.0
    for i in reversed(range(len(out))):
        # 8: out[i] += a * v[i] * out[i]
        entry_bar = out_bar[i]
        out[i] = out_saved.pop()
        mul_a_bar = entry_bar * out[i]
        v_bar[i] += mul_a_bar * a
        out_bar[i] += entry_bar * a * v[i]
        a_bar += mul_a_bar * v[i]
    return a_bar


def two_sweeps_grad(v, a, out_bar=1.0):
    """Gradient of two_sweeps (a_helper_that_writes_its_argument_gets_the_shadow_too.py:11) with respect to v and a."""
    v = v.copy()
    v_bar = np.zeros_like(v)
    w = v * v
    w_bar = np.zeros_like(w)
    add_scaled_result, saved_add_scaled = add_scaled_forward(w, w_bar, v, v_bar, a)
    add_scaled_result2, saved_add_scaled2 = add_scaled_forward(
        w, w_bar, w[::-1], w_bar[::-1], 0.5
    )

    # 15: return w @ v
    w_bar += out_bar * v
    v_bar += out_bar * w
    # 14: add_scaled(w, w[::-1], 0.5)
    a_add2 = add_scaled_reverse(saved_add_scaled2)
    # 13: add_scaled(w, v, a)
    a_bar = add_scaled_reverse(saved_add_scaled)
    # 12: w = v * v
    v_bar += w_bar * 2.0 * v
    return v_bar, a_bar
