import json

import numpy as np

from pullback import grad


def f(u):
    v = u * 1.0
    part = v[json.loads("0")]
    v[1] = part * 2.0
    return np.sum(v) + np.sum(part)


def call():
    return grad(f)(np.array([1.0, 2.0]))


# --- refused ---
