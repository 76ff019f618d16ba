"""Programs with one name for a number and an array: on two paths, in two rounds, in a container."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


# --- of a name that is read on neither path afterwards, the types need not fit ---------------------


@case(A3, 1)
@case(A3, -1)
def one_name_for_two_purposes(x, c):
    if c > 0:
        t = 1.5
        y = t * x[0]
    else:
        t = x * 2.0
        t[0] = 3.0
        y = t @ x
    for i in range(2):
        t = float(i) * y
        y = y + t * t
    return y
