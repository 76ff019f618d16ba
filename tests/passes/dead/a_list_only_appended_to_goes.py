def f(x, n):
    x_saved = []
    for i in range(n):
        x_saved.append(x)
        x = x * x
    return x


ARGS = (1.5, 3)


# --- after ---
def f(x, n):
    for i in range(n):
        x = x * x
    return x
