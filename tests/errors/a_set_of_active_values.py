from pullback import grad


def f(x):
    values = {k * x for k in range(3)}
    return sum(values)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_set_of_active_values.py:5: cannot follow a set of active values
#
#    3 |
#    4 | def f(x):
#    5 |     values = {k * x for k in range(3)}
#      |              ^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
