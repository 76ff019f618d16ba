from pullback import grad


def f(x):
    items = [x] + [2.0 * x]
    return items[0] * items[1]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: two_lists_added.py:5: cannot differentiate this sequence operation
#
#    3 |
#    4 | def f(x):
#    5 |     items = [x] + [2.0 * x]
#      |             ^^^^^^^^^^^^^^^
#
#    An operator on lists or tuples of active values has no adjoint here.
#    Way out: build the list with append in a loop, or use arrays
