"""What a loop computes anew each time and the reverse sweep reads is kept in one list, a tuple a trip."""

import numpy as np


def damped_sum(x, k):
    total = 0.0
    for i in range(len(x)):
        decay = np.exp(-k * i)
        wave = np.sin(x[i])
        total += decay * wave
    return total


ARGS = (np.array([0.3, 1.1, 2.0]), 0.4)
WRT = (0, 1)
HAND_LINES = 18


# --- adjoint ---
def damped_sum_grad(x, k, total_bar=1.0):
    """Gradient of damped_sum (what_a_trip_keeps_is_one_tuple.py:6) with respect to x and k."""
    trip_saved = []
    total = 0.0
    for i in range(len(x)):
        decay = np.exp(-k * i)
        wave = np.sin(x[i])
        total += decay * wave
        trip_saved.append((decay, wave))

    k_bar = 0.0
    x_bar = np.zeros_like(x)
    for i in reversed(range(len(x))):
        decay, wave = trip_saved.pop()
        # 11: total += decay * wave
        decay_bar = total_bar * wave
        # 10: wave = np.sin(x[i])
        x_bar[i] += total_bar * decay * np.cos(x[i])
        # 9: decay = np.exp(-k * i)
        k_bar -= decay_bar * decay * i
    return x_bar, k_bar
