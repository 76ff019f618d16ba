from pullback import grad


def product(*factors):
    result = 1.0
    for v in factors:
        result = result * v
    return result


def f(x, n):
    values = []
    for i in range(n):
        values.append(x + i)
    return product(*values)


def call():
    return grad(f)(1.5, 3)


# --- refused ---
# UnsupportedError: a_starred_argument_of_unknown_length.py:15: cannot tell how many arguments this passes
#
#    13 |     for i in range(n):
#    14 |         values.append(x + i)
#    15 |     return product(*values)
#       |                    ^^^^^^^
#
#    The starred sequence has no known length.
#    Way out: pass the arguments one by one
