def f(xs):
    for x in xs:
        if x > 2.0:
            break
    else:
        return -1.0
    return x


ARGS = ([1.0, 3.0],)
MORE_ARGS = [([1.0],)]


# --- after ---
def f(xs):
    broke = False
    for x in xs:
        if x > 2.0:
            broke = True
            break
    if not broke:
        result = -1.0
    else:
        result = x
    return result
