"""What only decides where a loop goes has no adjoint: the helper runs as it is, and no pair of it is printed."""


def excess(m, p):
    return m * m - p


def steps(p):
    k = 0
    while excess(k, p) < 0.0:
        k += 1
    return 0.5 * p * k


ARGS = (2.5,)
WRT = 0
HAND_LINES = 6


# --- adjoint ---
def steps_grad(p, out_bar=1.0):
    """Gradient of steps (a_helper_that_only_decides_runs_as_it_is.py:8) with respect to p."""
    k = 0
    while True:
        excess_k = excess(k, p)
        if excess_k < 0.0:
            k += 1
        else:
            break

    # 12: return 0.5 * p * k
    p_bar = out_bar * 0.5 * k
    return p_bar
