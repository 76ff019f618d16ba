def f(xs):
    total = 0.0
    for x in xs:
        total = total + x
    else:
        total = total * 10.0
    return total


ARGS = ([1.0, 2.0],)
MORE_ARGS = [([],)]


# --- after ---
def f(xs):
    total = 0.0
    for x in xs:
        total = total + x
    total = total * 10.0
    return total
