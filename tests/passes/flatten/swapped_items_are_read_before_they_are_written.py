def f(u):
    u[0], u[1] = u[1], u[0]
    return u[0] - 2.0 * u[1]


ARGS = ([2.0, 3.0],)


# --- after ---
def f(u):
    new_u = u[0]
    u[0] = u[1]
    u[1] = new_u
    return u[0] - 2.0 * u[1]
