from pullback import grad


def f(x, y):
    return x * y


def call():
    return grad(f, wrt="speed")(1.5, 2.0)


# --- refused ---
# ArgumentError: wrt_an_unknown_name.py:4: `f` has no argument called 'speed'
#
#    2 |
#    3 |
#    4 | def f(x, y):
#      | ^^^^^^^^^^^^
#
#    Its arguments are x, y.
#    Way out: pass one of them as `wrt`
