def f(xs):
    total = 0.0
    for x in xs:
        if x < 0.0:
            break
        total = total + x
    else:
        total = total * 10.0
    return total


ARGS = ([1.0, 2.0],)
MORE_ARGS = [([1.0, -2.0, 4.0],), ([],)]


# --- after ---
def f(xs):
    total = 0.0
    broke = False
    for x in xs:
        if x < 0.0:
            broke = True
            break
        else:
            total = total + x
    if not broke:
        total = total * 10.0
    return total
