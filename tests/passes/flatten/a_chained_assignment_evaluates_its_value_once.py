def f(x):
    a = b = x * x
    return a * b


ARGS = (3.0,)


# --- after ---
def f(x):
    a = x * x
    b = a
    return a * b
