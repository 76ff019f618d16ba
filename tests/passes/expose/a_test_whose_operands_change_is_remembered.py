def f(x):
    if x > 1.0:
        x = x * x
    return x


ARGS = (2.0,)
MORE_ARGS = [(0.5,)]


# --- after ---
def f(x):
    x_above = x > 1.0
    if x_above:
        x = x * x
    return x
