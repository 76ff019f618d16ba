def f(a):
    if a < 0.0:
        return -a
    b = a * a
    return b + 1.0


ARGS = (-2.0,)
MORE_ARGS = [(3.0,)]


# --- after ---
def f(a):
    if a < 0.0:
        result = -a
    else:
        b = a * a
        result = b + 1.0
    return result
