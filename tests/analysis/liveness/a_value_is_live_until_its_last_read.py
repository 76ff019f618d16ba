def f(x):
    a = x + 1.0  # live: a, x
    b = a * a  # live: b, x
    c = b + x  # live: c
    return c  # live: nothing


ARGS = (1.0,)
