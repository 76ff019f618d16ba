def f(xs):
    total = 0.0
    for x in xs:
        if x < 0.0:
            continue
        total = total + x
    return total


ARGS = ([1.0, -2.0, 3.0],)
MORE_ARGS = [([],), ([-1.0],)]


# --- after ---
def f(xs):
    total = 0.0
    for x in xs:
        if x < 0.0:
            pass
        else:
            total = total + x
    return total
