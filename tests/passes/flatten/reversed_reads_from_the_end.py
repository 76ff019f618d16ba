def f(xs):
    total = 0.0
    for x in reversed(xs):
        total = 2.0 * total + x
    return total


ARGS = ([2.0, 3.0, 4.0],)


# --- after ---
def f(xs):
    total = 0.0
    for i in range(len(xs)):
        x = xs[len(xs) - 1 - i]
        total = 2.0 * total + x
    return total
