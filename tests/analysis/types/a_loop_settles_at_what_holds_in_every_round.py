def f(x):
    total = 0  # int
    for i in range(3):  # int
        total = total + x  # float
        old = total  # float
    return total


ARGS = (2.0,)
