import numpy as np


def f(u):
    total = 1.0
    for v in u:
        total = total * v
    return total


ARGS = (np.array([2.0, 3.0]),)


# --- after ---
def f(u):
    total = 1.0
    for i in range(len(u)):
        v = u[i]
        total = total * v
    return total
