"""`i` lives before the loop too: a loop that runs never leaves it as it was."""


def f(x, n):
    y = x  # live: i, n, x, y
    for i in range(n):  # live: i, n, x, y
        z = y * i  # live: i, n, x, z
        y = z + x  # live: i, n, x, y
    return y  # live: nothing


ARGS = (1.0, 2)
