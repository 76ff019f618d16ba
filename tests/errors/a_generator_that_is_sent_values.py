from pullback import grad


def echo(x):
    while True:
        x = x * (yield x)


def f(x):
    made = echo(x)
    return next(made) + made.send(x)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_generator_that_is_sent_values.py:6: cannot follow this generator: what `yield` returns is read
#
#    4 | def echo(x):
#    5 |     while True:
#    6 |         x = x * (yield x)
#      |         ^^^^^^^^^^^^^^^^^
#
#    Only a consumer that sends values gives it any.
#    Way out: collect the values in a list and return that
#
# a_generator_that_is_sent_values.py:10: no derivative rule for `echo`
#
#     8 |
#     9 | def f(x):
#    10 |     made = echo(x)
#       |            ^^^^^^^
#
#    `echo` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
#
# a_generator_that_is_sent_values.py:11: cannot tell what `made.send` calls
#
#     9 | def f(x):
#    10 |     made = echo(x)
#    11 |     return next(made) + made.send(x)
#       |                         ^^^^^^^^^^^^
#
#    An active value goes into a function that is chosen at run time.
#    Way out: call it by a name that pullback can look up: a global, a local function or an argument
