import numpy as np

from pullback import jvp


def f(rows):
    return np.sum(rows[0] * rows[1])


def call():
    row = np.array([1.0, 2.0])
    return jvp(f, ([row, row],), ([np.array([1.0, 0.0]), np.array([0.0, 1.0])],))


# --- refused ---
# ArgumentError: `rows` holds the same object twice, with different tangents
#    Way out: pass copies, or the same tangent for both
