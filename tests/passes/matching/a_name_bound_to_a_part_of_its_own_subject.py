def f(x):
    match x:
        case [x, y]:
            return x - y
        case {"x": x}:
            return x


ARGS = ([5.0, 3.0],)
MORE_ARGS = [({"x": 2.0},)]


# --- after ---
def f(x):
    if is_sequence(x) and len(x) == 2:
        x, y = x[0], x[1]
        return x - y
    elif is_mapping(x) and "x" in x:
        x = x["x"]
        return x
