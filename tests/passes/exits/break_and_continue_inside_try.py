def f(xs, table):
    total = 0.0
    for x in xs:
        try:
            if x < 0.0:
                break
            k = table[x]
        except KeyError:
            continue
        total = total + k
    return total


ARGS = ([1, 2, 1, -1, 1], {1: 3.0})


# --- after ---
def f(xs, table):
    total = 0.0
    for x in xs:
        leave = False
        skip = False
        try:
            if x < 0.0:
                leave = True
            else:
                k = table[x]
        except KeyError:
            skip = True
        if skip:
            pass
        elif leave:
            break
        else:
            total = total + k
    return total
