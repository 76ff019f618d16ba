"""All that a list holds is one class of memory: what is appended counts as an alias from where it is made."""

import numpy as np


def f(u):
    items = [u]  # own memory, holds u
    v = items[0]  # aliases u
    other = items  # aliases items, holds u, v
    a = np.zeros(2)  # aliases u, v
    other.append(a)
    pair = (u, 1.0)  # holds a, u, v
    return np.sum(v)


ARGS = (np.array([1.0, 2.0]),)
