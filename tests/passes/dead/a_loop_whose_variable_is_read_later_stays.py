def f(x, n):
    i = 0
    for i in range(n):
        a = x * i
    return x * i


ARGS = (2.0, 3)


# --- after ---
def f(x, n):
    i = 0
    for i in range(n):
        pass
    return x * i
