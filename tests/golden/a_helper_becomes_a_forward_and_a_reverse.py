"""A helper becomes a forward that returns what it saves, and a reverse that uses it."""

import numpy as np


def damped(x, k):
    for i in range(3):
        x = x * np.exp(-k * x)
    return x


def two_damped(x, k):
    a = damped(x, k)
    b = damped(a, 2.0 * k)
    return a * b


ARGS = (0.8, 0.3)
WRT = (0, 1)
HAND_LINES = 28


# --- adjoint ---
def damped_forward(x, k):
    """damped (a_helper_becomes_a_forward_and_a_reverse.py:6), with what its reverse needs."""
    x_saved = []
    exp_saved = []
    for i in range(3):
        exp = np.exp(-k * x)
        x_saved.append(x)
        x = x * exp
        exp_saved.append(exp)
    return x, (exp_saved, k, x_saved)


def damped_reverse(saved, x_bar):
    """Adjoints of x and k."""
    exp_saved, k, x_saved = saved
    k_bar = 0.0
    for i in reversed(range(3)):
        exp = exp_saved.pop()
        # 8: x = x * np.exp(-k * x)
        x = x_saved.pop()
        exp_bar = x_bar * x
        x_bar = x_bar * exp
        mul_x_bar = exp_bar * exp
        k_bar -= mul_x_bar * x
        x_bar -= mul_x_bar * k
    return x_bar, k_bar


def two_damped_grad(x, k, out_bar=1.0):
    """Gradient of two_damped (a_helper_becomes_a_forward_and_a_reverse.py:12) with respect to x and k."""
    a, saved_damped = damped_forward(x, k)
    b, saved_damped2 = damped_forward(a, 2.0 * k)

    # 15: return a * b
    a_bar = out_bar * b
    # 14: b = damped(a, 2.0 * k)
    x_add2, k_add2 = damped_reverse(saved_damped2, out_bar * a)
    a_bar += x_add2
    k_bar = k_add2 * 2.0
    # 13: a = damped(x, k)
    x_bar, k_add = damped_reverse(saved_damped, a_bar)
    k_bar += k_add
    return x_bar, k_bar
