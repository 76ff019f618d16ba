import numpy as np


def f(x, z, out_bar):
    y_bar = out_bar * z
    x_bar = y_bar * np.cos(x)
    return x_bar


ARGS = (0.5, 2.0, 1.0)


# --- after ---
def f(x, z, out_bar):
    x_bar = out_bar * z * np.cos(x)
    return x_bar
