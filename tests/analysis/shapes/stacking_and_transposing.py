import numpy as np


def f(m, u):
    a = m.T  # (m.1, m.0)
    b = np.concatenate([u, u])  # (?)
    c = np.stack([u, u])  # (2, u.0)
    d = m.reshape(-1)  # (?)
    e = m.reshape(3, 2)  # (3, 2)
    g = np.expand_dims(u, 0)  # (1, u.0)
    h = np.outer(u, u)  # (u.0, u.0)
    return np.sum(h)


ARGS = (np.ones((2, 3)), np.arange(5.0))
