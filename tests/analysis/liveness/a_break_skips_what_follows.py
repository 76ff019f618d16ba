def f(x, n):
    a = 1.0  # live: n, x
    while x < n:  # live: n, x
        b = x  # live: b, n, x
        if b > 5.0:  # live: b, n, x
            break  # live: x
        else:
            a = b  # live: a, n, x
            x = x + a  # live: n, x
    return x  # live: nothing


ARGS = (1.0, 9.0)
