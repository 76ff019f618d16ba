from pullback import grad


def multiples(x):
    n = 0
    while True:
        yield n * x
        n += 1


def f(x):
    total = 0.0
    for v in multiples(x):
        total = total + v
        if total > 9.0:
            break
    return total


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_generator_without_an_end.py:6: cannot follow this generator: it never ends by itself
#
#    4 | def multiples(x):
#    5 |     n = 0
#    6 |     while True:
#      |     ^^^^^^^^^^^
#
#    It would be run to its end before its first item is read.
#    Way out: collect the values in a list and return that
#
# a_generator_without_an_end.py:13: no derivative rule for `multiples`
#
#    11 | def f(x):
#    12 |     total = 0.0
#    13 |     for v in multiples(x):
#       |              ^^^^^^^^^^^^
#
#    `multiples` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
