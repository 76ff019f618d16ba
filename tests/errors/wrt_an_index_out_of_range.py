from pullback import grad


def f(x, y):
    return x * y


def call():
    return grad(f, wrt=5)(1.5, 2.0)


# --- refused ---
# ArgumentError: wrt_an_index_out_of_range.py:4: `f` has no argument 5
#
#    2 |
#    3 |
#    4 | def f(x, y):
#      | ^^^^^^^^^^^^
#
#    Its arguments are x, y.
#    Way out: pass one of them as `wrt`
