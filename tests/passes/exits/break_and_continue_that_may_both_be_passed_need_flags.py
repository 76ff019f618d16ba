def f(xs, skipping, leaving):
    total = 0.0
    for x in xs:
        if x < 0.0:
            if skipping:
                continue
            if leaving:
                break
        total = total + x
    return total


ARGS = ([1.0, -2.0, 3.0], True, False)
MORE_ARGS = [([1.0, -2.0, 3.0], False, True), ([1.0, -2.0, 3.0], False, False)]


# --- after ---
def f(xs, skipping, leaving):
    total = 0.0
    for x in xs:
        leave = False
        skip = False
        if x < 0.0:
            if skipping:
                skip = True
            elif leaving:
                leave = True
        if skip:
            pass
        elif leave:
            break
        else:
            total = total + x
    return total
