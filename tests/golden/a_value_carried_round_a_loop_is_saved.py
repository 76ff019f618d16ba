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
