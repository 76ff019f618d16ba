from pullback import grad


def f(x):
    values = {k * x for k in range(3)}
    if values == {0.0, x, 2.0 * x}:
        return values.pop()
    values ^= {x}
    return sum(values)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_set_of_active_values.py:6: cannot follow this comparison of sets of active values
#
#    4 | def f(x):
#    5 |     values = {k * x for k in range(3)}
#    6 |     if values == {0.0, x, 2.0 * x}:
#      |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    A list stands for the set, of which this means something else.
#    Way out: keep the values in a list or a dict
#
# a_set_of_active_values.py:7: cannot follow `pop` of a set of active values
#
#    5 |     values = {k * x for k in range(3)}
#    6 |     if values == {0.0, x, 2.0 * x}:
#    7 |         return values.pop()
#      |                ^^^^^^^^^^^^
#
#    A list stands for the set, and this depends on its order, or on another set's.
#    Way out: keep the values in a list or a dict
#
# a_set_of_active_values.py:8: cannot follow this augmented assignment of sets of active values
#
#    6 |     if values == {0.0, x, 2.0 * x}:
#    7 |         return values.pop()
#    8 |     values ^= {x}
#      |     ^^^^^^^^^^^^^
#
#    A list stands for the set, of which this means something else.
#    Way out: keep the values in a list or a dict
