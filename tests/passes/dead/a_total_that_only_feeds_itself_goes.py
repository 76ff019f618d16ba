def f(x, n):
    total = 0.0
    for i in range(n):
        total += x
    return x


ARGS = (2.0, 3)


# --- after ---
def f(x, n):
    return x
