import sys

from pullback import grad


def f(x):
    try:
        raise ValueError(f"{x}")
    except ValueError as problem:
        y = float(str(problem))
    try:
        raise ValueError(x)
    except ValueError:
        return y * sys.exc_info()[1].args[0] * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_text_out_of_an_exception.py:10: cannot follow a number through text
#
#     8 |         raise ValueError(f"{x}")
#     9 |     except ValueError as problem:
#    10 |         y = float(str(problem))
#       |             ^^^^^^^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
