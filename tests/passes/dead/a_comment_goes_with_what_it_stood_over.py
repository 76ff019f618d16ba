def comment(text):
    pass


def f(x):
    comment("2: y = 2.0 * x")
    y = 2.0 * x
    comment("3: z = 3.0 * x")
    z = 3.0 * x
    return z


ARGS = (2.0,)


# --- after ---
def f(x):
    # 3: z = 3.0 * x
    z = 3.0 * x
    return z
