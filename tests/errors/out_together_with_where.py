import numpy as np

from pullback import grad


def f(u, v):
    w = np.zeros(2)
    np.multiply(u, v, out=w, where=v > 3.5)
    return np.sum(w)


def call():
    return grad(f)(np.array([1.0, 2.0]), np.array([3.0, 4.0]))


# --- refused ---
# UnsupportedError: out_together_with_where.py:8: cannot follow `out=` together with `where=`
#
#    6 | def f(u, v):
#    7 |     w = np.zeros(2)
#    8 |     np.multiply(u, v, out=w, where=v > 3.5)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Only some entries are written.
#    Way out: write `out[mask] = f(x[mask])`
