from pullback import grad


def f(x):
    return float(str(x * x)) * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: text_is_no_way_back_to_a_number.py:5: no derivative rule for `str`
#
#    3 |
#    4 | def f(x):
#    5 |     return float(str(x * x)) * x
#      |                  ^^^^^^^^^^
#
#    Its argument is active, and pullback cannot differentiate through it.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
