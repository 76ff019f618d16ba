"""Where NumPy decides between view and copy at run time, so does the shadow."""

import numpy as np


def flatten_then_write(m):
    m = np.array(m)  # keeps m's layout
    r = m.T.reshape(-1)  # a copy for a C-ordered m, a view for a Fortran-ordered one
    r[0] *= 3.0
    return np.sum(m ** 2) + np.sum(r)


ARGS = (np.array([[1.0, 2.0, -1.0], [0.5, 0.3, 0.7]]),)
MORE_ARGS = [(np.asfortranarray([[1.0, 2.0, -1.0], [0.5, 0.3, 0.7]]),)]
WRT = 0
HAND_LINES = 12


# --- adjoint ---
