def f(x, k):
    if k > 0.0:
        y = x  # active
        z = x  # unused
    else:
        y = 2.0  # inert
        z = x * x  # unused
    w = z  # unused
    z = 3.0  # inert
    return y * z


ARGS = (1.0, 2.0)
