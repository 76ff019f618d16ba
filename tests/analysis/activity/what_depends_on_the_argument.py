def f(x, k):
    y = 2 * x  # active
    n = 3  # inert
    z = k * n  # inert
    w = y + z  # active
    return w


ARGS = (1.0, 2.0)
