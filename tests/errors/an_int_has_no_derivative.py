from pullback import grad


def f(x):
    return x * x


def call():
    return grad(f)(3)


# --- refused ---
# ArgumentError: an_int_has_no_derivative.py:4: argument `x` of `f` is an int, which has no derivative
#
#    2 |
#    3 |
#    4 | def f(x):
#      | ^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `x`
