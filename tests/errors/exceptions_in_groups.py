import math

from pullback import grad


def f(x):
    try:
        y = math.log(x)
    except* ValueError:
        y = x
    return y


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: exceptions_in_groups.py:7: cannot differentiate through this statement
#
#    5 |
#    6 | def f(x):
#    7 |     try:
#      |     ^^^^
#
#    It assigns or writes something active, and which way it goes is not followed.
#    Way out: use if and else, or `try` and `except`
