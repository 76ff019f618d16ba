def f(x, log):
    y = log.append(x)
    return x


ARGS = (2.0, [])


# --- after ---
def f(x, log):
    y = log.append(x)
    return x
