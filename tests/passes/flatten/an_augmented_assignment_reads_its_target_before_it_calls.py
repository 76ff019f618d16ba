def doubled(u):
    u[0] = 10.0
    return u[1] * 2.0


def f(u):
    u[0] += doubled(u)
    return u[0]


ARGS = ([2.0, 3.0],)


# --- after ---
def f(u):
    old_u = u[0]
    doubled_u = doubled(u)
    u[0] = old_u + doubled_u
    return u[0]


def doubled(u):
    u[0] = 10.0
    return u[1] * 2.0
