from pullback import grad


def twice(g):
    return lambda v: g(g(v))


def f(x):
    @twice
    def step(v):
        return v * x

    return step(x)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_decorated_nested_function.py:10: cannot follow a decorated nested function
#
#     8 | def f(x):
#     9 |     @twice
#    10 |     def step(v):
#       |     ^^^^^^^^^^^^
#
#    What the decorator makes of it is known only when the program runs.
#    Way out: leave the decorator out, and do what it does in plain calls
#
# a_decorated_nested_function.py:13: cannot tell what `step` calls
#
#    11 |         return v * x
#    12 |
#    13 |     return step(x)
#       |            ^^^^^^^
#
#    An active value goes into a function that is chosen at run time.
#    Way out: call it by a name that pullback can look up: a global, a local function or an argument
