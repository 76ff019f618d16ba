def f(x):
    while x < 10.0:
        x = x * 3.0
        if x == 9.0:
            break
    else:
        x = x + 0.5
    return x


ARGS = (1.0,)
MORE_ARGS = [(2.0,), (20.0,)]


# --- after ---
def f(x):
    broke = False
    while x < 10.0:
        x = x * 3.0
        if x == 9.0:
            broke = True
            break
    if not broke:
        x = x + 0.5
    return x
