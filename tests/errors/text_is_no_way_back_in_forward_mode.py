from pullback.compiler.jvp import jvp


def f(x):
    return float(repr(x)) + float("%r" % x)


def call():
    return jvp(f, (1.5,), (1.0,))


# --- refused ---
# UnsupportedError: text_is_no_way_back_in_forward_mode.py:5: no derivative rule for `repr`
#
#    3 |
#    4 | def f(x):
#    5 |     return float(repr(x)) + float("%r" % x)
#      |                  ^^^^^^^
#
#    Its argument is active, and pullback cannot differentiate through it.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
#
# text_is_no_way_back_in_forward_mode.py:5: no derivative rule for `"%r" % x`
#
#    3 |
#    4 | def f(x):
#    5 |     return float(repr(x)) + float("%r" % x)
#      |                                   ^^^^^^^^
#
#    Its argument is active, and pullback cannot differentiate through it.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
