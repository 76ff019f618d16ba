def f(x):
    def g(y):
        if y < 0.0:
            return -y
        return y

    if x > 5.0:
        return x
    return g(x) * 2.0


ARGS = (-2.0,)
MORE_ARGS = [(6.0,)]


# --- after ---
def f(x):
    def g(y):
        if y < 0.0:
            return -y
        return y

    if x > 5.0:
        result = x
    else:
        result = g(x) * 2.0
    return result
