def f(xs):
    return min(xs)


ARGS = ([2.0, 1.0, 4.0],)
MORE_ARGS = [([2.0, 2.0],)]


# --- after ---
def f(xs):
    smallest = xs[0]
    for i in range(1, len(xs)):
        if xs[i] < smallest:
            smallest = xs[i]
    return smallest
