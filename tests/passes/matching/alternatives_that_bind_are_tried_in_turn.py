def f(v):
    match v:
        case ("left", x) | (x, "right"):
            return x
        case 1 | 2 | None:
            return 0.5
    return 1.5


ARGS = (("left", 2.0),)
MORE_ARGS = [((3.0, "right"),), (2,), (None,), (("up", 1.0),)]


# --- after ---
def f(v):
    if is_sequence(v) and len(v) == 2 and v[0] == "left":
        x = v[1]
        taken = True
    elif is_sequence(v) and len(v) == 2 and v[1] == "right":
        x = v[0]
        taken = True
    else:
        taken = False
    if taken:
        return x
    elif v == 1 or v == 2 or v is None:
        return 0.5
    return 1.5
