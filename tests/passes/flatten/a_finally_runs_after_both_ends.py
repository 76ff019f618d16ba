import math


def f(x):
    y = x
    try:
        y = math.log(x) * y
    finally:
        y = y * 2.0
    return y


ARGS = (2.0,)
MORE_ARGS = [(-2.0,)]
RAISES = (ValueError,)


# --- after ---
def f(x):
    y = x
    try:
        y = math.log(x) * y
    finally:
        y = y * 2.0
    return y
