from pullback import jvp


def f(x):
    d = {"a": x}
    total = 0.0
    for key, value in list(d.items()):
        total = total + value
    return total


def call():
    return jvp(f, (1.5,), (1.0,))


# --- refused ---
# UnsupportedError: items_of_a_dict_in_forward_mode.py:7: cannot follow the method `items` here
#
#    5 |     d = {"a": x}
#    6 |     total = 0.0
#    7 |     for key, value in list(d.items()):
#      |                            ^^^^^^^^^
#
#    The tangent of what it returns is not known.
#    Way out: use indices, append and loops
