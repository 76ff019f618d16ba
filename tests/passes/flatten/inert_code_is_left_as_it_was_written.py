def scale(n):
    return n + 1


def f(x, n):
    sizes = [scale(k) for k in range(n) if k % 2]
    first, *others = sizes if sizes else [1]
    return x * first + (n if n > 3 else -n)


ARGS = (2.0, 4)
MORE_ARGS = [(2.0, 1)]


# --- after ---
def f(x, n):
    sizes = [scale(k) for k in range(n) if k % 2]
    first, *others = sizes if sizes else [1]
    return x * first + (n if n > 3 else -n)
