def f(x, n):
    y = x  # x of the caller
    for i in range(n):  # n of the caller
        y = y * x  # x of the caller; y of line 2 or line 4
        k = i  # i of line 3 or nowhere
    return y + k  # k of line 5 or nowhere; y of line 2 or line 4


ARGS = (1.0, 2)
