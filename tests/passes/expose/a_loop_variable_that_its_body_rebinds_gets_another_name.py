def f(x):
    y = x
    for i in range(3):
        i = i + 1
        y = y * x * i
    return y


ARGS = (1.5,)


# --- after ---
def f(x):
    y = x
    for each_i in range(3):
        i = each_i
        i = i + 1
        y = y * x * i
    return y
