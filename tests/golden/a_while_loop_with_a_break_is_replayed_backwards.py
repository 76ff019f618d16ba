"""The trips of a `while` loop are replayed backwards, up to the one that left it."""


def newton_sqrt(a):
    x = a
    k = 0
    while k < 50:
        step = (x * x - a) / (2.0 * x)
        if abs(step) < 1e-12:
            break
        x = x - step
        k += 1
    return x


ARGS = (2.7,)
WRT = 0
HAND_LINES = 25


# --- adjoint ---
def newton_sqrt_grad(a, x_bar=1.0):
    """Gradient of newton_sqrt (a_while_loop_with_a_break_is_replayed_backwards.py:4) with respect to a."""
    step_saved = []
    x_saved = []
    x = a
    k = 0
    trips = 0
    while k < 50:
        trips += 1
        step = (x * x - a) / (2.0 * x)
        if abs(step) < 1e-12:
            step_saved.append(step)
            break
        else:
            x_saved.append(x)
            x = x - step
            k += 1
        step_saved.append(step)

    a_bar = 0.0
    for _ in range(trips):
        step = step_saved.pop()
        step_bar = 0.0
        if not abs(step) < 1e-12:
            # 11: x = x - step
            x = x_saved.pop()
            step_bar = -x_bar
        # 8: step = (x * x - a) / (2.0 * x)
        sub_a_bar = step_bar / (2.0 * x)
        x_bar += sub_a_bar * 2.0 * x
        x_bar -= step_bar * 2.0 * step / (2.0 * x)
        a_bar -= sub_a_bar
    # 5: x = a
    a_bar += x_bar
    return a_bar
