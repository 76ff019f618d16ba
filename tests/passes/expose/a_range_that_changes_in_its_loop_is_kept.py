def f(x, n):
    for i in range(n):
        x = x * x
        n = n - 1
    return x * n


ARGS = (1.5, 3)


# --- after ---
def f(x, n):
    steps = range(n)
    for i in steps:
        x = x * x
        n = n - 1
    return x * n
