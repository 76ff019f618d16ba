def f(xs):
    total = 0.0
    for x in xs:
        if x < 0.0:
            break
        total = total + x
    return total


ARGS = ([1.0, 2.0, -1.0, 4.0],)
MORE_ARGS = [([1.0, 2.0],), ([],)]


# --- after ---
def f(xs):
    total = 0.0
    for x in xs:
        if x < 0.0:
            break
        else:
            total = total + x
    return total
