def f(x, out_bar):
    y_bar = out_bar * x
    x_bar = y_bar * y_bar
    return x_bar + x_bar


ARGS = (0.5, 1.0)


# --- after ---
def f(x, out_bar):
    y_bar = out_bar * x
    x_bar = y_bar * y_bar
    return x_bar + x_bar
