def f(x):
    a = x + 1.0
    b = a * 2.0
    return x


ARGS = (2.0,)


# --- after ---
def f(x):
    return x
