def inverse(v):
    return 1.0 / v


def f(x):
    if x > 0.0 and inverse(x) > 2.0:
        return x
    return -x


ARGS = (0.0,)
MORE_ARGS = [(0.25,), (2.0,)]


# --- after ---
def f(x):
    condition = x > 0.0
    if condition:
        inverse_x = inverse(x)
        condition = inverse_x > 2.0
    if condition:
        result = x
    else:
        result = -x
    return result


def inverse(v):
    return 1.0 / v
