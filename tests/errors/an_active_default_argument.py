from pullback import grad


def f(x):
    def scaled(v, k=x * x):
        return v * k

    return scaled(x)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_active_default_argument.py:5: cannot follow an active default argument
#
#    3 |
#    4 | def f(x):
#    5 |     def scaled(v, k=x * x):
#      |                     ^^^^^
#
#    The default would carry a derivative from where the function is defined.
#    Way out: pass the value as an argument
