from pullback import grad


class Larger:
    __or__ = max

    def __init__(self, value):
        self.value = value


def f(x):
    return (Larger(x) | Larger(2.0)).value


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_operator_that_is_no_plain_method.py:12: cannot follow this operator of an object
#
#    10 |
#    11 | def f(x):
#    12 |     return (Larger(x) | Larger(2.0)).value
#       |             ^^^^^^^^^^^^^^^^^^^^^^^
#
#    The class does not define it as a plain method.
#    Way out: call a plain function of the fields
