def f(x, y):
    return 2.0 * (x or y or 1.0)


ARGS = (0.0, 3.0)
MORE_ARGS = [(2.0, 3.0), (0.0, 0.0)]


# --- after ---
def f(x, y):
    either = x
    if not either:
        either = y
        if not either:
            either = 1.0
    return 2.0 * either
