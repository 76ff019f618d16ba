def f(x, text):
    try:
        k = float(text)
    except ValueError:
        k = 0.0
    else:
        k = k + 1.0
    finally:
        text = ""
    return x * k


ARGS = (2.0, "3.0")
MORE_ARGS = [(2.0, "b")]


# --- after ---
def f(x, text):
    try:
        k = float(text)
    except ValueError:
        k = 0.0
    else:
        k = k + 1.0
    finally:
        text = ""
    return x * k
