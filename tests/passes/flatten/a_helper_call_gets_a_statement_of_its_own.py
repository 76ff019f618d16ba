import numpy as np


def square(v):
    return v * v


def f(x):
    return np.sin(square(x)) + 1.0


ARGS = (0.5,)


# --- after ---
def f(x):
    square_x = square(x)
    return np.sin(square_x) + 1.0


def square(v):
    return v * v
