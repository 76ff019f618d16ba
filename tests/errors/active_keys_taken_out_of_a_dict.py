from pullback import grad


def f(x):
    table = {x * 1.5: 2.0, x: 1.0}
    return sum(k * v for k, v in table.items())


def call():
    return grad(f)(0.5)


# --- refused ---
# UnsupportedError: active_keys_taken_out_of_a_dict.py:6: cannot take active keys out of a dict
#
#    4 | def f(x):
#    5 |     table = {x * 1.5: 2.0, x: 1.0}
#    6 |     return sum(k * v for k, v in table.items())
#      |                                  ^^^^^^^^^^^^^
#
#    What a dict is asked for by has no adjoint that could be brought back.
#    Way out: keep the values in a list beside the dict
