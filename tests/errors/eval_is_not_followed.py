from pullback import grad


def f(x):
    return eval("x * x")


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: eval_is_not_followed.py:5: cannot follow `eval`
#
#    3 |
#    4 | def f(x):
#    5 |     return eval("x * x")
#      |            ^^^^^^^^^^^^^
#
#    What it does is not in the function's text.
#    Way out: write what it does as plain statements
