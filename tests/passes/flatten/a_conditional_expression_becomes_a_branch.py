import numpy as np


def f(x):
    return 3.0 * (np.sqrt(x) if x > 0.0 else -x)


ARGS = (2.0,)
MORE_ARGS = [(-2.0,)]


# --- after ---
def f(x):
    if x > 0.0:
        chosen = np.sqrt(x)
    else:
        chosen = -x
    return 3.0 * chosen
