from pullback import grad


def f(xs):
    it = iter(zip(xs, xs))
    return next(it)[0] * next(it)[1]


def call():
    return grad(f)([1.5, 2.0])


# --- refused ---
# UnsupportedError: an_explicit_iterator.py:5: cannot follow an explicit iterator over active values
#
#    3 |
#    4 | def f(xs):
#    5 |     it = iter(zip(xs, xs))
#      |          ^^^^^^^^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
