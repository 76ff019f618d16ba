from pullback import grad


class Found(Exception):
    pass


def f(x):
    try:
        raise Found(x * x)
    except Found as found:
        return found.args[0]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_value_out_of_an_exception.py:12: cannot follow a value out of an exception
#
#    10 |         raise Found(x * x)
#    11 |     except Found as found:
#    12 |         return found.args[0]
#       |                ^^^^^^^^^^
#
#    Some exception of the program is made of an active value, which may be in this one.
#    Way out: assign the value to a variable, or return it, before raising
