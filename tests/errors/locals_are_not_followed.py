from pullback import grad


def f(x):
    y = x * x
    return locals()["y"] * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: locals_are_not_followed.py:6: cannot follow `locals`
#
#    4 | def f(x):
#    5 |     y = x * x
#    6 |     return locals()["y"] * x
#      |            ^^^^^^^^
#
#    What it does is not in the function's text.
#    Way out: write what it does as plain statements
