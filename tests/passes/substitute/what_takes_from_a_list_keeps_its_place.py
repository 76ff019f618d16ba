def f(saved):
    y_bar = saved.pop()
    x_bar = saved.pop() - y_bar
    return x_bar + x_bar


ARGS = ([5.0, 2.0],)


# --- after ---
def f(saved):
    y_bar = saved.pop()
    x_bar = saved.pop() - y_bar
    return x_bar + x_bar
