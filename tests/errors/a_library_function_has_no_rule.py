import statistics

from pullback import grad


def f(x):
    return statistics.mean([x, 2.0])


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_library_function_has_no_rule.py:7: no derivative rule for `statistics.mean`
#
#    5 |
#    6 | def f(x):
#    7 |     return statistics.mean([x, 2.0])
#      |            ^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    `mean` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
