def f(xs):
    total = 0.0
    for x in xs:
        if x < 0.0:
            return total
        total = total + x
    return total * 10.0


ARGS = ([1.0, -2.0],)
MORE_ARGS = [([1.0, 2.0],), ([],)]


# --- after ---
def f(xs):
    total = 0.0
    returned = False
    for x in xs:
        if x < 0.0:
            result = total
            returned = True
            break
        else:
            total = total + x
    if returned:
        pass
    else:
        result = total * 10.0
    return result
