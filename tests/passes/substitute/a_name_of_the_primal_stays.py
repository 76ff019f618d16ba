PRIMAL_NAMES = ("iron_bar",)


def f(x, out_bar):
    iron_bar = out_bar * 2.0
    x_bar = iron_bar * x
    return x_bar + x_bar


ARGS = (0.5, 1.0)


# --- after ---
def f(x, out_bar):
    iron_bar = out_bar * 2.0
    x_bar = iron_bar * x
    return x_bar + x_bar
