from pullback import grad


def f(xs):
    return max(xs, key=abs)


def call():
    return grad(f)([1.5, -2.0])


# --- refused ---
# UnsupportedError: max_by_a_key.py:5: cannot follow `key=` with active values
#
#    3 |
#    4 | def f(xs):
#    5 |     return max(xs, key=abs)
#      |            ^^^^^^^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
