def f(x, flag):
    y = x  # x of the caller
    if flag:  # flag of the caller
        y = 2.0
        z = y  # y of line 4
    else:
        z = 3.0
    return y * z  # y of line 2 or line 4; z of line 5 or line 7


ARGS = (1.0, True)
