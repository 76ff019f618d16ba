def f(x, y):
    if x > 1.0:
        a = x
    else:
        y = y * 2.0
    if x > 2.0:
        b = x
    return y


ARGS = (2.0, 3.0)
MORE_ARGS = [(0.5, 3.0)]


# --- after ---
def f(x, y):
    if not x > 1.0:
        y = y * 2.0
    return y
