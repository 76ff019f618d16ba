from pullback.compiler.jvp import jvp


def f(x):
    return float(repr(x)) + float("%r" % x)


def call():
    return jvp(f, (1.5,), (1.0,))


# --- refused ---
# UnsupportedError: text_is_no_way_back_in_forward_mode.py:5: cannot follow a number through text
#
#    3 |
#    4 | def f(x):
#    5 |     return float(repr(x)) + float("%r" % x)
#      |            ^^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
#
# text_is_no_way_back_in_forward_mode.py:5: cannot follow a number through text
#
#    3 |
#    4 | def f(x):
#    5 |     return float(repr(x)) + float("%r" % x)
#      |                             ^^^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
