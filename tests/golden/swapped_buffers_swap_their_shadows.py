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
def diffuse_grad(u, k, steps, out_bar=1.0):
    """Gradient of diffuse (swapped_buffers_swap_their_shadows.py:6) with respect to u and k."""
    add_saved = []
    cur = u.copy()
    cur_bar = np.zeros_like(cur)
    nxt = np.zeros_like(u)
    nxt_bar = np.zeros_like(nxt)
    for t in range(steps):
        add = cur[2:] - 2.0 * cur[1:-1] + cur[:-2]
        nxt[1:-1] = cur[1:-1] + k * add
        cur, nxt = nxt, cur
        cur_bar, nxt_bar = nxt_bar, cur_bar
        add_saved.append(add)

    # 12: return np.sum(cur ** 2)
    cur_bar += out_bar * 2.0 * cur
    k_bar = 0.0
    for t in reversed(range(steps)):
        add = add_saved.pop()
        # 11: cur, nxt = nxt, cur
        nxt, cur = cur, nxt
        nxt_bar, cur_bar = cur_bar, nxt_bar
        # 10: nxt[1:-1] = cur[1:-1] + k * (cur[2:] - 2.0 * cur[1:-1] + cur[:-2])
        part_bar = nxt_bar[1:-1].copy()
        nxt_bar[1:-1] = 0.0
        cur_bar[1:-1] += part_bar
        k_bar += np.dot(part_bar, add)
        add_bar = part_bar * k
        cur_bar[2:] += add_bar
        cur_bar[1:-1] -= add_bar * 2.0
        cur_bar[:-2] += add_bar
    # 7: cur = u.copy()
    u_bar = cur_bar
    return u_bar, k_bar
