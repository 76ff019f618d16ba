import math

from pullback import grad


def f(x):
    y = x
    try:
        y = math.log(x)
    finally:
        return y * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_jump_out_of_finally.py:8: cannot follow a jump out of `finally`
#
#    6 | def f(x):
#    7 |     y = x
#    8 |     try:
#      |     ^^^^
#
#    It swallows what was raised.
#    Way out: jump after the `try` statement
