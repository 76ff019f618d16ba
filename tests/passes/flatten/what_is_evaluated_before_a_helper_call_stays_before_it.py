def counted(v, calls):
    calls.append(v)
    return v * len(calls)


def f(x, calls):
    return x * calls[0] + counted(x, calls) * counted(2.0 * x, calls)


ARGS = (0.5, [3.0])


# --- after ---
def f(x, calls):
    mul_x = x * calls[0]
    counted_x = counted(x, calls)
    counted2 = counted(2.0 * x, calls)
    return mul_x + counted_x * counted2


def counted(v, calls):
    calls.append(v)
    return v * len(calls)


def counted(v, calls):
    calls.append(v)
    return v * len(calls)
