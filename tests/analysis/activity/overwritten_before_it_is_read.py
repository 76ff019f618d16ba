def f(x):
    y = x * x  # unused
    y = 2.0  # inert
    z = x + y  # active
    y = x  # active
    return z * y


ARGS = (1.0,)
