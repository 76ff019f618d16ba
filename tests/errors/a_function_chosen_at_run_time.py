from pullback import grad


import json

TABLE = json.loads('{"square": 2}')


def f(x, name):
    return TABLE.get(name)(x)


def call():
    return grad(f)(1.5, "square")


# --- refused ---
# UnsupportedError: a_function_chosen_at_run_time.py:10: cannot tell what `TABLE.get(name)` calls
#
#     8 |
#     9 | def f(x, name):
#    10 |     return TABLE.get(name)(x)
#       |            ^^^^^^^^^^^^^^^^^^
#
#    An active value goes into a function that is chosen at run time.
#    Way out: call it by a name that pullback can look up: a global, a local function or an argument
