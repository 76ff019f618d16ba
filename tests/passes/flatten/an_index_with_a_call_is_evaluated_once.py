def f(u, order):
    u[order.pop()] += u[0]
    return u[1]


ARGS = ([2.0, 3.0], [0, 1])


# --- after ---
def f(u, order):
    pop = order.pop()
    index = pop
    u[index] += u[0]
    return u[1]
