def f(x):
    return (y := x * x) + 3.0 * y


ARGS = (2.0,)


# --- after ---
def f(x):
    y = x * x
    return y + 3.0 * y
