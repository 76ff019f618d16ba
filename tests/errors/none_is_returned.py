from pullback import grad


def f(x):
    y = x * x


def call():
    return grad(f)(1.5)


# --- refused ---
# ArgumentError: none_is_returned.py:4: `f` returns None
#
#    2 |
#    3 |
#    4 | def f(x):
#      | ^^^^^^^^^
#
#    A path ends without a return of a number.
#    Way out: add the `return`
