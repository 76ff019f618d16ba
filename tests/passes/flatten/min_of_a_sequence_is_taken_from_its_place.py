def f(xs):
    return min(xs)


ARGS = ([2.0, 1.0, 4.0],)
MORE_ARGS = [([2.0, 2.0],)]


# --- after ---
def f(xs):
    place = min(range(len(xs)), key=xs.__getitem__)
    smallest = xs[place]
    return smallest
