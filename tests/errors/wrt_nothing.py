from pullback import grad


def f(x, y):
    return x * y


def call():
    return grad(f, wrt=())(1.5, 2.0)


# --- refused ---
# ArgumentError: wrt_nothing.py:4: `wrt` of `f` names no argument
#
#    2 |
#    3 |
#    4 | def f(x, y):
#      | ^^^^^^^^^^^^
#
#    Way out: name one or more of x, y
