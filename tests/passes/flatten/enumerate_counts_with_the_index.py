def f(xs):
    total = 0.0
    for i, x in enumerate(xs):
        total = total + i * x
    return total


ARGS = ([2.0, 3.0, 4.0],)


# --- after ---
def f(xs):
    total = 0.0
    for i in range(len(xs)):
        x = xs[i]
        total = total + i * x
    return total
