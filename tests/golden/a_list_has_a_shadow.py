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
