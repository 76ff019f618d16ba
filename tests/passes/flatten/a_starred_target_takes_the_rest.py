def f(xs):
    first, *middle, last = xs
    return first * last + middle[0]


ARGS = ([2.0, 3.0, 4.0, 5.0],)


# --- after ---
def f(xs):
    first = xs[0]
    middle = [xs[1], xs[2]]
    last = xs[-1]
    return first * last + middle[0]
