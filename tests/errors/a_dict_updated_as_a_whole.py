from pullback import grad


def f(x):
    d = {"a": 1.0}
    d.update(a=x)
    return d["a"]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_dict_updated_as_a_whole.py:6: cannot reverse `update` of a dict
#
#    4 | def f(x):
#    5 |     d = {"a": 1.0}
#    6 |     d.update(a=x)
#      |     ^^^^^^^^^^^^^
#
#    It changes several items at once.
#    Way out: assign the items one by one
