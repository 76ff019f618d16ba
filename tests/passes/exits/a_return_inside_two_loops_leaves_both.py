def f(rows):
    total = 0.0
    for row in rows:
        for x in row:
            if x < 0.0:
                return total
            total = total + x
        total = total * 2.0
    return total


ARGS = ([[1.0, 2.0], [3.0, -1.0], [5.0]],)
MORE_ARGS = [([[1.0], [2.0]],)]


# --- after ---
def f(rows):
    total = 0.0
    returned2 = False
    for row in rows:
        returned = False
        for x in row:
            if x < 0.0:
                result = total
                returned = True
                break
            else:
                total = total + x
        if returned:
            returned2 = True
            break
        else:
            total = total * 2.0
    if returned2:
        pass
    else:
        result = total
    return result
