def f(u):
    v = u  # u of the caller
    v[0] = 1.0  # v of line 2
    u = v  # v of line 2
    u[1] = v[0]  # u of line 4; v of line 2
    return u[0]  # u of line 4


ARGS = ([1.0, 2.0],)
