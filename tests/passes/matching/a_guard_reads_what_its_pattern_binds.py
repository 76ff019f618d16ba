def f(v, k):
    match v:
        case [a, b] if a > b:
            return a
        case w if k > 1.0:
            return w
        case 0.0 if k < 0.0:
            return k
    return -1.0


ARGS = ([3.0, 2.0], 0.0)
MORE_ARGS = [([2.0, 3.0], 0.0), ([2.0, 3.0], 2.0), (0.0, -1.0), (0.0, 0.5)]


# --- after ---
def f(v, k):
    if is_sequence(v) and len(v) == 2:
        a = v[0]
        b = v[1]
        taken = a > b
    else:
        taken = False
    if taken:
        return a
    else:
        w = v
        if k > 1.0:
            return w
        elif v == 0.0 and k < 0.0:
            return k
    return -1.0
