def f(a, b):
    if a < 0.0:
        if b < 0.0:
            return a
        b = b + 1.0
    return a * b


ARGS = (-1.0, -2.0)
MORE_ARGS = [(-1.0, 2.0), (1.0, 2.0)]


# --- after ---
def f(a, b):
    returned = False
    if a < 0.0:
        if b < 0.0:
            result = a
            returned = True
        else:
            b = b + 1.0
    if returned:
        pass
    else:
        result = a * b
    return result
