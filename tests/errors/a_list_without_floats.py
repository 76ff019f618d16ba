from pullback import grad


def f(xs):
    return xs[0] * 2.0


def call():
    return grad(f)([1, 2])


# --- refused ---
# ArgumentError: a_list_without_floats.py:4: argument `xs` of `f` is a list without floats, which has no derivative
#
#    2 |
#    3 |
#    4 | def f(xs):
#      | ^^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `xs`
