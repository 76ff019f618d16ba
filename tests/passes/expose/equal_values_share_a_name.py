import numpy as np


def f(x):
    y = np.exp(x) * np.exp(x)
    return y


ARGS = (0.5,)


# --- after ---
def f(x):
    exp_x = np.exp(x)
    y = exp_x * exp_x
    return y
