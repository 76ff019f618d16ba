def size(v):
    return v * v


def f(x):
    while size(x) < 50.0:
        x = x * 2.0
    return x


ARGS = (1.5,)
MORE_ARGS = [(9.0,)]


# --- after ---
def f(x):
    while True:
        size_x = size(x)
        if size_x < 50.0:
            x = x * 2.0
        else:
            break
    return x


def size(v):
    return v * v
