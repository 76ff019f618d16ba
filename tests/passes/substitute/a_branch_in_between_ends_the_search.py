def f(x, out_bar):
    y_bar = out_bar * x
    if x > 1.0:
        out_bar = 0.0
    x_bar = y_bar + out_bar
    return x_bar + x_bar


ARGS = (0.5, 1.0)
MORE_ARGS = [(2.0, 1.0)]


# --- after ---
def f(x, out_bar):
    y_bar = out_bar * x
    if x > 1.0:
        out_bar = 0.0
    x_bar = y_bar + out_bar
    return x_bar + x_bar
