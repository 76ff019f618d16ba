from pullback import grad


def f(x):
    if x > 2.0:
        return x * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: one_path_returns_none.py:4: `f` returned None, which has no gradient
#
#    2 |
#    3 |
#    4 | def f(x):
#      | ^^^^^^^^^
#
#    Way out: add the `return` that one of its paths lacks
