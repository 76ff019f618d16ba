import statistics

from pullback import grad

TOTAL = [0.0]


def helper(v):
    return statistics.mean([v, 1.0])


def f(x):
    TOTAL[0] = x
    y = helper(x)
    z = eval("x * x")
    return y + z + float(f"{x}")


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: all_problems_come_in_one_report.py:9: no derivative rule for `statistics.mean`
#
#    7 |
#    8 | def helper(v):
#    9 |     return statistics.mean([v, 1.0])
#      |            ^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    `mean` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
#
# all_problems_come_in_one_report.py:13: cannot write an active value into the global `TOTAL`
#
#    11 |
#    12 | def f(x):
#    13 |     TOTAL[0] = x
#       |     ^^^^^^^^^^^^
#
#    The write outlives the call: a mutated default or global keeps it.
#    Way out: make the container inside the function, or pass it in
#
# all_problems_come_in_one_report.py:15: cannot follow `eval`
#
#    13 |     TOTAL[0] = x
#    14 |     y = helper(x)
#    15 |     z = eval("x * x")
#       |         ^^^^^^^^^^^^^
#
#    What it does is not in the function's text.
#    Way out: write what it does as plain statements
#
# all_problems_come_in_one_report.py:16: cannot follow a number through text
#
#    14 |     y = helper(x)
#    15 |     z = eval("x * x")
#    16 |     return y + z + float(f"{x}")
#       |                    ^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
