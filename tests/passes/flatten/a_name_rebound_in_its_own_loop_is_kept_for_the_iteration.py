def f(xs):
    total = 0.0
    for x in xs:
        xs = [x]
        total = total + x * xs[0]
    return total


ARGS = ([2.0, 3.0],)


# --- after ---
def f(xs):
    total = 0.0
    xs2 = xs
    for i in range(len(xs2)):
        x = xs2[i]
        xs = [x]
        total = total + x * xs[0]
    return total
