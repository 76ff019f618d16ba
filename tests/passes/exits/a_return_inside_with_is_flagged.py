import numpy as np


def f(x):
    with np.errstate(divide="ignore"):
        if x > 1.0:
            return np.log(x)
        x = x + 1.0
    return x


ARGS = (2.0,)
MORE_ARGS = [(0.5,)]


# --- after ---
def f(x):
    returned = False
    with np.errstate(divide="ignore"):
        if x > 1.0:
            result = np.log(x)
            returned = True
        else:
            x = x + 1.0
    if returned:
        pass
    else:
        result = x
    return result
