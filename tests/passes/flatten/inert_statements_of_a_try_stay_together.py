def f(x, text):
    try:
        parts = text.split()
        k = float(parts[1])
        y = x * k
    except ValueError:
        y = x
    return y


ARGS = (2.0, "a 3.0")
MORE_ARGS = [(2.0, "a b")]


# --- after ---
def f(x, text):
    failed = False
    try:
        parts = text.split()
        k = float(parts[1])
        ok = True
    except ValueError:
        ok = False
        failed = True
    if ok:
        y = x * k
    if failed:
        y = x
    return y
