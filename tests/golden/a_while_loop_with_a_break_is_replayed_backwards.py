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
