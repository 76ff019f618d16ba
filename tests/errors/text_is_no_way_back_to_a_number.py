from pullback import grad


def f(x):
    return float(str(x * x)) * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: text_is_no_way_back_to_a_number.py:5: cannot follow a number through text
#
#    3 |
#    4 | def f(x):
#    5 |     return float(str(x * x)) * x
#      |            ^^^^^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
