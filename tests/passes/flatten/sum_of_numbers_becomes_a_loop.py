def f(xs):
    return sum(xs) * 2.0


ARGS = ([2.0, 3.0, 4.0],)
MORE_ARGS = [([],)]


# --- after ---
def f(xs):
    total = 0
    for i in range(len(xs)):
        total = total + xs[i]
    return total * 2.0
