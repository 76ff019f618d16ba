def f(x, n):
    y = 1.0
    for i in range(n):
        y = y * x  # keeps y
    return y


ARGS = (1.5, 3)
