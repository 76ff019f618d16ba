from pullback import grad


def nested(x, pair):
    if x > 100.0:
        return x
    return nested(x * 2.0, (pair, x))


def f(x):
    return nested(x, ())


def call():
    return grad(f)(2.0)


# --- refused ---
# UnsupportedError: a_recursion_over_ever_new_types.py:7: `nested` is called with ever new types
#
#    5 |     if x > 100.0:
#    6 |         return x
#    7 |     return nested(x * 2.0, (pair, x))
#      |            ^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    A derivative is written for each combination of types, and here they never end.
#    Way out: keep the types of a recursive function's arguments the same
