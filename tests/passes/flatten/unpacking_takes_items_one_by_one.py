def f(p):
    a, (b, c) = p
    return a * b * c


ARGS = ((2.0, (3.0, 4.0)),)


# --- after ---
def f(p):
    a = p[0]
    p_1 = p[1]
    b = p_1[0]
    c = p_1[1]
    return a * b * c
