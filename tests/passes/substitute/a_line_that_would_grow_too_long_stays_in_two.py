def f(first_factor, second_factor, third_factor, out_bar):
    product_bar = out_bar * first_factor * second_factor + out_bar * third_factor
    x_bar = product_bar * first_factor - second_factor * third_factor
    return x_bar + x_bar


ARGS = (0.5, 2.0, 3.0, 1.0)


# --- after ---
def f(first_factor, second_factor, third_factor, out_bar):
    product_bar = out_bar * first_factor * second_factor + out_bar * third_factor
    x_bar = product_bar * first_factor - second_factor * third_factor
    return x_bar + x_bar
