from pullback import grad


def echo(x):
    k = yield x
    yield x * k


def f(x):
    return sum(echo(x))


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_generator_that_is_sent_values.py:5: cannot follow this generator: what `yield` returns is read
#
#    3 |
#    4 | def echo(x):
#    5 |     k = yield x
#      |         ^^^^^^^
#
#    Only a consumer that sends values gives it any.
#    Way out: collect the values in a list and return that
#
# a_generator_that_is_sent_values.py:10: no derivative rule for `echo`
#
#     8 |
#     9 | def f(x):
#    10 |     return sum(echo(x))
#       |                ^^^^^^^
#
#    `echo` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
