def f(u, out_bar):
    y_bar = out_bar * u[0]
    u[0] = 0.0
    x_bar = y_bar * 2.0
    return x_bar + x_bar


ARGS = ([3.0], 1.0)


# --- after ---
def f(u, out_bar):
    y_bar = out_bar * u[0]
    u[0] = 0.0
    x_bar = y_bar * 2.0
    return x_bar + x_bar
