def f(x, y):
    x, y = x + y, x * y
    return x - y


ARGS = (2.0, 3.0)


# --- after ---
def f(x, y):
    new_y = x * y
    x = x + y
    y = new_y
    return x - y
