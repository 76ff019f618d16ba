def f(stack, y):
    match stack.pop(), y:
        case 1.0, b:
            return b
        case a, 2.0 as c:
            return a * c
    return len(stack)


ARGS = ([1.0, 2.0, 1.0], 5.0)
MORE_ARGS = [([1.0, 3.0], 2.0), ([1.0, 3.0], 7.0)]


# --- after ---
def f(stack, y):
    subject = stack.pop()
    if subject == 1.0:
        b = y
        return b
    elif y == 2.0:
        a = subject
        c = y
        return a * c
    return len(stack)
