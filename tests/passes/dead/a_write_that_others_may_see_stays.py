def f(u, x):
    v = u
    v += x
    return x


ARGS = ([2.0], [3.0])


# --- after ---
def f(u, x):
    v = u
    v += x
    return x
