import math


def f(x):
    y = 0.0
    try:
        for k in range(4):
            y = y + math.sqrt(x - k)
            y = y * x
    except ValueError:
        y = y + 10.0
    return y


ARGS = (2.5,)
MORE_ARGS = [(5.0,), (-1.0,)]


# --- after ---
def f(x):
    y = 0.0
    failed = False
    for k in range(4):
        try:
            y = y + math.sqrt(x - k)
            ok = True
        except ValueError:
            ok = False
            failed = True
            break
        else:
            y = y * x
    if failed:
        y = y + 10.0
    return y
