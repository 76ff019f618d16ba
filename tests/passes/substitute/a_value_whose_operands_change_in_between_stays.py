def f(x, out_bar):
    y_bar = out_bar * x
    x = x + 1.0
    x_bar = y_bar * x
    return x_bar * x


ARGS = (0.5, 1.0)


# --- after ---
def f(x, out_bar):
    y_bar = out_bar * x
    x = x + 1.0
    x_bar = y_bar * x
    return x_bar * x
