def f(x, table):
    try:
        k = table[x]
    except KeyError:
        return -1.0
    y = k * 2.0
    return y + 1.0


ARGS = (1, {1: 3.0})
MORE_ARGS = [(2, {1: 3.0})]


# --- after ---
def f(x, table):
    try:
        k = table[x]
    except KeyError:
        result = -1.0
    else:
        y = k * 2.0
        result = y + 1.0
    return result
