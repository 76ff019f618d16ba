import numpy as np


def f(x, n):
    total = 0.0
    for i in range(n):
        y = x + i
        z = np.sin(y)
        total = total + z * y  # then keeps y, z
    return total


ARGS = (1.5, 3)
