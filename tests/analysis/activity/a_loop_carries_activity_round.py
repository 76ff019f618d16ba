def f(x, n):
    a = 1.0  # inert
    b = 1.0  # inert
    c = 1.0  # inert
    for i in range(n):  # inert
        a = b  # active
        b = c  # active
        c = c * x  # active
    return a


ARGS = (1.5, 3)
