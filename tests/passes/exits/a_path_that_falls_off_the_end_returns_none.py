def f(a):
    if a < 0.0:
        return a


ARGS = (-2.0,)
MORE_ARGS = [(3.0,)]


# --- after ---
def f(a):
    if a < 0.0:
        result = a
    else:
        result = None
    return result
