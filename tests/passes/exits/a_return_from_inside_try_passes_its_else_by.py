def f(x, table):
    try:
        k = table[x]
        if k > 2.0:
            return k
    except KeyError:
        k = 0.0
    else:
        k = k + 10.0
    finally:
        table.clear()
    return -k


ARGS = (1, {1: 3.0})
MORE_ARGS = [(1, {1: 1.0}), (2, {})]


# --- after ---
def f(x, table):
    returned = False
    try:
        k = table[x]
        if k > 2.0:
            result = k
            returned = True
    except KeyError:
        k = 0.0
    else:
        if returned:
            pass
        else:
            k = k + 10.0
    finally:
        table.clear()
    if returned:
        pass
    else:
        result = -k
    return result
