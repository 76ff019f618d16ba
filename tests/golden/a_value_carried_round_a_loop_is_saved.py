"""The overwritten `y` is saved, because its adjoint needs it."""


def power(x, n):
    y = 1.0
    for i in range(n):
        y = y * x
    return y


ARGS = (1.3, 5)
WRT = 0
HAND_LINES = 13


# --- adjoint ---
def power_grad(x, n, y_bar=1.0):
    """Gradient of power (a_value_carried_round_a_loop_is_saved.py:4) with respect to x."""
    y_saved = []
    y = 1.0
    for i in range(n):
        y_saved.append(y)
        y = y * x

    x_bar = 0.0
    for i in reversed(range(n)):
        # 7: y = y * x
        y = y_saved.pop()
        x_bar += y_bar * y
        y_bar = y_bar * x
    return x_bar
