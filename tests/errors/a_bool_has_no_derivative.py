from pullback import grad


def f(x):
    return x * 2.0


def call():
    return grad(f)(True)


# --- refused ---
# ArgumentError: a_bool_has_no_derivative.py:4: argument `x` of `f` is a bool, which has no derivative
#
#    2 |
#    3 |
#    4 | def f(x):
#      | ^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `x`
