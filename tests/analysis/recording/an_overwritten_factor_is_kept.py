def f(x):
    y = x * x
    y = y * x  # keeps y
    return y


ARGS = (1.5,)
