import numpy as np

from pullback import jvp


def f(u):
    return u * u


def call():
    return jvp(f, (np.array([1.0, 2.0]),), (np.array([1.0, 2.0, 3.0]),))


# --- refused ---
# ArgumentError: the tangent of `u` has shape (3,), not (2,)
#    Way out: pass a tangent of the form of the argument
