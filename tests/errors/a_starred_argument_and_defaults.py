from pullback import grad


def damped(x, rate=1.0, offset=0.0):
    return x * rate + offset


def f(x, n):
    values, options = [], {}
    for i in range(n):
        values.append(x + i)
        options["offset"] = x
    return damped(*values, **options)


def call():
    return grad(f)(1.5, 2)


# --- refused ---
# UnsupportedError: a_starred_argument_and_defaults.py:13: cannot tell which arguments this passes
#
#    11 |         values.append(x + i)
#    12 |         options["offset"] = x
#    13 |     return damped(*values, **options)
#       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    The starred sequence has no known length, and there are defaults.
#    Way out: pass the arguments one by one
