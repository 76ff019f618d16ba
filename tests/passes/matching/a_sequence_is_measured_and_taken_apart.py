def f(v):
    match v:
        case [a, b]:
            return a * b
        case [a, *rest, (b, 1.0)]:
            return a + b + len(rest)
        case []:
            return 0.0
    return v


ARGS = ([2.0, 3.0],)
MORE_ARGS = [((2.0, 7.0, (3.0, 1.0)),), ([],), ("ab",), (4.0,), ([1.0, 2.0, 3.0],)]


# --- after ---
def f(v):
    if is_sequence(v) and len(v) == 2:
        a = v[0]
        b = v[1]
        return a * b
    elif (
        is_sequence(v)
        and len(v) >= 2
        and is_sequence(v[-1])
        and len(v[-1]) == 2
        and v[-1][1] == 1.0
    ):
        a = v[0]
        rest = [v[i] for i in range(1, len(v) - 1)]
        b = v[-1][0]
        return a + b + len(rest)
    elif is_sequence(v) and len(v) == 0:
        return 0.0
    return v
