def f(x):
    y = 3.0 * x
    y = y + x
    y = 2.0 * y
    return y


ARGS = (1.5,)
