def f(xs, k):
    return sum(k * x for x in xs)


ARGS = ([2.0, 3.0, 4.0], 0.5)


# --- after ---
def f(xs, k):
    total = 0
    for i in range(len(xs)):
        x2 = xs[i]
        total = total + k * x2
    return total
