def f(x, y):
    if x > 1.0:
        y = y * x
    return y


ARGS = (2.0, 3.0)
MORE_ARGS = [(0.5, 3.0)]


# --- after ---
def f(x, y):
    if x > 1.0:
        y = y * x
    return y
