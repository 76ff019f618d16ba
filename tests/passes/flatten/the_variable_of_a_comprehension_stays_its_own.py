def f(xs, x):
    ys = [x * 2.0 for x in xs]
    return ys[0] * x


ARGS = ([1.0, 3.0], 5.0)


# --- after ---
def f(xs, x):
    items = []
    for i in range(len(xs)):
        x2 = xs[i]
        items.append(x2 * 2.0)
    ys = items
    return ys[0] * x
