def f(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys):
        total = total + x * y
    return total


ARGS = ([2.0, 3.0], [4.0, 5.0, 6.0])


# --- after ---
def f(xs, ys):
    total = 0.0
    for i in range(min(len(xs), len(ys))):
        x = xs[i]
        y = ys[i]
        total = total + x * y
    return total
