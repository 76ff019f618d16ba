from pullback import grad


def f(x):
    try:
        y = x / (x - 1.0)
    except ZeroDivisionError:
        y = x
    return y


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_value_assigned_under_try.py:5: cannot differentiate through this `try`
#
#    3 |
#    4 | def f(x):
#    5 |     try:
#      |     ^^^^
#
#    It assigns the active `y`.
#    Way out: use if and else
