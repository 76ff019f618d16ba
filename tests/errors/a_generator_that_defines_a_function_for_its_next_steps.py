from pullback import grad


def scaled(x):
    k = 2.0

    def twice(v):
        return k * v

    while True:
        yield twice(x)
        x = x * x


def f(x):
    made = scaled(x)
    return next(made) * next(made)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_generator_that_defines_a_function_for_its_next_steps.py:7: cannot follow this generator: it defines something that its next steps may call
#
#    5 |     k = 2.0
#    6 |
#    7 |     def twice(v):
#      |     ^^^^^^^^^^^^^
#
#    It runs step by step.
#    Way out: collect the values in a list and return that
#
# a_generator_that_defines_a_function_for_its_next_steps.py:16: no derivative rule for `scaled`
#
#    14 |
#    15 | def f(x):
#    16 |     made = scaled(x)
#       |            ^^^^^^^^^
#
#    `scaled` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
