from pullback import grad


def f(x):
    return x * x, x


def call():
    return grad(f)(1.5)


# --- refused ---
# ArgumentError: a_tuple_is_returned.py:4: `f` returns a tuple, not a scalar
#
#    2 |
#    3 |
#    4 | def f(x):
#      | ^^^^^^^^^
#
#    A gradient is that of one number.
#    Way out: return a sum or another single number of it, or use `vjp`
