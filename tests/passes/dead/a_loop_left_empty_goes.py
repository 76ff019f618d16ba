def f(x, n):
    for i in range(n):
        a = x * i
    return x


ARGS = (2.0, 3)


# --- after ---
def f(x, n):
    return x
