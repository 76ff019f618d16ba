from pullback import grad


def f(p, n):
    q = p[:n]
    return q[0]


def call():
    return grad(f)((1.5, 2.0), 1)


# --- refused ---
# UnsupportedError: a_slice_of_a_tuple_with_unknown_bounds.py:5: cannot follow a slice of a tuple with unknown bounds
#
#    3 |
#    4 | def f(p, n):
#    5 |     q = p[:n]
#      |         ^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
