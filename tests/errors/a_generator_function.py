from pullback import grad


def f(x):
    for k in range(3):
        yield x * k


def call():
    return grad(f)


# --- refused ---
# UnsupportedError: a_generator_function.py:6: `f` is a generator function: it has a `yield`
#
#    4 | def f(x):
#    5 |     for k in range(3):
#    6 |         yield x * k
#      |         ^^^^^
#
#    Way out: collect the values in a list and return that.
