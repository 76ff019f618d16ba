import numpy as np


def f(x):
    x = np.exp(x)
    return x


ARGS = (0.5,)


# --- after ---
def f(x):
    x = np.exp(x)
    return x
