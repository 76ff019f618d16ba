def f(xs, first):
    total = 0.0
    for i, x in enumerate(xs, first):
        total = total + i * x
    return total


ARGS = ([2.0, 3.0, 4.0], 5)


# --- after ---
def f(xs, first):
    total = 0.0
    for i2 in range(len(xs)):
        i = first + i2
        x = xs[i2]
        total = total + i * x
    return total
