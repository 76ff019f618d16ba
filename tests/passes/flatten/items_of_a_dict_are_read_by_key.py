def f(d):
    total = 0.0
    for key, x in d.items():
        total = total + len(key) * x
    return total


ARGS = ({"a": 2.0, "bb": 3.0},)


# --- after ---
def f(d):
    total = 0.0
    keys = list(d)
    for i in range(len(keys)):
        key = keys[i]
        x = d[keys[i]]
        total = total + len(key) * x
    return total
