def f(a):
    return a
    a = a + 1.0


ARGS = (2.0,)


# --- after ---
def f(a):
    result = a
    return result
