import math


def f(x):
    y = 1.0
    try:
        y = x * 2.0
        z = math.log(y)
        z = z * y
    except ValueError:
        z = y * x
    return z


ARGS = (2.0,)
MORE_ARGS = [(-2.0,)]


# --- after ---
def f(x):
    y = 1.0
    y = x * 2.0
    try:
        z = math.log(y)
        ok = True
    except ValueError:
        ok = False
        z = y * x
    else:
        z = z * y
    return z
