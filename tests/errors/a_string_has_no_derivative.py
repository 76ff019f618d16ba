from pullback import grad


def f(x, mode):
    return x if mode == "plain" else x * x


def call():
    return grad(f, wrt="mode")(1.5, "plain")


# --- refused ---
# ArgumentError: a_string_has_no_derivative.py:4: argument `mode` of `f` is a str, which has no derivative
#
#    2 |
#    3 |
#    4 | def f(x, mode):
#      | ^^^^^^^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `mode`
