import numpy as np

from pullback import vjp


def f(u):
    return u * u, [2.0 * u, u[0]]


def call():
    value, pull = vjp(f, np.array([1.0, 2.0]))
    return pull((np.ones(2), [np.ones(3), 1.0]))


# --- refused ---
# ArgumentError: the adjoint of the value[1][0] has shape (3,), not (2,)
#    Way out: pass an adjoint of the form of the value
