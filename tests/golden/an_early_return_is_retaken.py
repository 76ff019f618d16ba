"""Which return was taken is all that the reverse sweep needs to know."""


def huber(r, delta):
    a = abs(r)
    if a <= delta:
        return 0.5 * r * r
    return delta * (a - 0.5 * delta)


ARGS = (0.4, 1.0)
MORE_ARGS = [(-2.4, 1.0), (2.4, 1.0)]
WRT = (0, 1)
HAND_LINES = 8


# --- adjoint ---
