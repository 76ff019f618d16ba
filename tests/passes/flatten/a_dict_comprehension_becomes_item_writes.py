def f(xs):
    d = {k: x * x for k, x in enumerate(xs)}
    return d[0] + d[1]


ARGS = ([2.0, 3.0],)


# --- after ---
def f(xs):
    items = {}
    for k2 in range(len(xs)):
        x2 = xs[k2]
        items[k2] = x2 * x2
    d = items
    return d[0] + d[1]
