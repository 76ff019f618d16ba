from pullback import grad


def halves(xs, log):
    try:
        for x in xs:
            log.append(x)
            yield x / 2.0
    finally:
        log.clear()


def f(xs):
    log = []
    total = 0.0
    for v in halves(xs, log):
        total += v * len(log)
    return total


def call():
    return grad(f)([1.5, 2.0])


# --- refused ---
# UnsupportedError: a_generator_that_waits_inside_a_finally.py:5: cannot follow this generator: it waits inside a `with` or a `finally`
#
#    3 |
#    4 | def halves(xs, log):
#    5 |     try:
#      |     ^^^^
#
#    What leaves the block would run at each step.
#    Way out: collect the values in a list and return that
#
# a_generator_that_waits_inside_a_finally.py:16: no derivative rule for `halves`
#
#    14 |     log = []
#    15 |     total = 0.0
#    16 |     for v in halves(xs, log):
#       |              ^^^^^^^^^^^^^^^
#
#    `halves` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
