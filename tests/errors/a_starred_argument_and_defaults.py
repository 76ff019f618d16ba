from pullback import grad


def damped(x, rate=1.0, offset=0.0):
    return x * rate + offset


def f(x, n):
    values = []
    for i in range(n):
        values.append(x + i)
    return damped(*values)


def call():
    return grad(f)(1.5, 3)


# --- refused ---
# UnsupportedError: a_starred_argument_and_defaults.py:12: cannot tell which arguments this passes
#
#    10 |     for i in range(n):
#    11 |         values.append(x + i)
#    12 |     return damped(*values)
#       |            ^^^^^^^^^^^^^^^
#
#    The starred sequence has no known length, and there are defaults.
#    Way out: pass the arguments one by one
