from pullback import grad


def f(x):
    exec("x = 2.0 * x")
    return x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: exec_is_not_followed.py:5: cannot follow `exec`
#
#    3 |
#    4 | def f(x):
#    5 |     exec("x = 2.0 * x")
#      |     ^^^^^^^^^^^^^^^^^^^
#
#    What it does is not in the function's text.
#    Way out: write what it does as plain statements
