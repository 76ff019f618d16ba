def f(x):
    try:
        return 1.0 / x
    except ZeroDivisionError:
        return 0.0


ARGS = (2.0,)
MORE_ARGS = [(0.0,)]


# --- after ---
def f(x):
    try:
        result = 1.0 / x
    except ZeroDivisionError:
        result = 0.0
    return result
