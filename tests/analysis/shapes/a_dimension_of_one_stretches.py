import numpy as np


def f(column, row, m):
    a = column * row  # (column.0, row.0)
    b = m + row  # (m.0, m.1)
    c = m * 2.0  # (m.0, m.1)
    d = m + column  # (m.0, m.1)
    return np.sum(a)


ARGS = (np.ones((2, 1)), np.ones(3), np.ones((2, 3)))
