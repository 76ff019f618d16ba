def f(xs, k):
    ys = [k * x for x in xs if x > 0.0]
    return ys[0]


ARGS = ([1.0, -2.0, 3.0], 2.0)


# --- after ---
def f(xs, k):
    items = []
    for i in range(len(xs)):
        x2 = xs[i]
        if x2 > 0.0:
            items.append(k * x2)
    ys = items
    return ys[0]
