import numpy as np


def f(u, v):
    v.fill(u[0])
    u.sort()
    return u[0] * v[1]


ARGS = (np.array([4.0, 3.0]), np.array([5.0, 6.0]))
WRT = ("u", "v")


# --- after ---
def f(u, v):
    v[...] = u[0]
    u[...] = np.sort(u)
    return u[0] * v[1]
