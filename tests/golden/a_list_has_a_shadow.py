"""Lists are mutable, so they have shadows too."""

import numpy as np


def running_mean(xs):
    acc = []
    total = 0.0
    for x in xs:
        total += x
        acc.append(total * total)
    return sum(acc) / len(acc)


ARGS = (np.array([0.5, -1.0, 2.0]),)
WRT = 0
HAND_LINES = 19


# --- adjoint ---
def running_mean_grad(xs, out_bar=1.0):
    """Gradient of running_mean (a_list_has_a_shadow.py:6) with respect to xs."""
    total_saved = []
    acc = []
    acc_bar = []
    total = 0.0
    for i in range(len(xs)):
        x = xs[i]
        total_saved.append(total)
        total += x
        acc.append(total * total)
        acc_bar.append(0.0)
    for i2 in range(len(acc)):
        pass

    # 12: return sum(acc) / len(acc)
    total2_bar = out_bar / len(acc)
    for i2 in reversed(range(len(acc))):
        acc_bar[i2] += total2_bar
    total_bar = 0.0
    xs_bar = np.zeros_like(xs)
    for i in reversed(range(len(xs))):
        # 11: acc.append(total * total)
        entry_bar = acc_bar.pop()
        total_bar += entry_bar * 2.0 * total
        # 10: total += x
        total = total_saved.pop()
        # 9: for x in xs:
        xs_bar[i] += total_bar
    return xs_bar
