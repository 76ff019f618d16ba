def f(x, y):
    x, y = y, x
    return x - 2.0 * y


ARGS = (2.0, 3.0)


# --- after ---
def f(x, y):
    x, y = y, x
    return x - 2.0 * y
