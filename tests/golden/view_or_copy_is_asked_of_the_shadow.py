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
def flatten_then_write_grad(m, out_bar=1.0):
    """Gradient of flatten_then_write (view_or_copy_is_asked_of_the_shadow.py:6) with respect to m."""
    m = np.array(m)
    m_shadow = np.zeros_like(m)
    T = m.T
    T_bar = m_shadow.T
    r = T.reshape(-1)
    r_bar = T_bar.reshape(-1)
    r[0] *= 3.0

    # 10: return np.sum(m ** 2) + np.sum(r)
    m_shadow += out_bar * 2.0 * m
    r_bar += out_bar
    # 9: r[0] *= 3.0
    r_bar[0] = r_bar[0] * 3.0
    # 8: r = m.T.reshape(-1)  # a copy for a C-ordered m, a view for a Fortran-ordered one
    if not np.shares_memory(r_bar, T_bar):
        T_bar += np.reshape(r_bar, np.shape(T), "C")
    # 7: m = np.array(m)  # keeps m's layout
    m_bar = m_shadow
    return m_bar
