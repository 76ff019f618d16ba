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
def huber_grad(r, delta, result_bar=1.0):
    """Gradient of huber (an_early_return_is_retaken.py:4) with respect to r and delta."""
    a = abs(r)

    a_bar = 0.0
    delta_bar = 0.0
    r_bar = 0.0
    if a <= delta:
        r_bar = result_bar * r
    else:
        sub_a_bar = result_bar * delta
        delta_bar = result_bar * (a - 0.5 * delta) - sub_a_bar * 0.5
        a_bar = sub_a_bar
    # 5: a = abs(r)
    r_bar += a_bar * np.sign(r)
    return r_bar, delta_bar
