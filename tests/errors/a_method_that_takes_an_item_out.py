from pullback import grad


def f(x):
    d = {"a": x, "b": 2.0 * x}
    key, value = d.popitem()
    return value


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_method_that_takes_an_item_out.py:6: cannot follow the method `popitem` of a dict
#
#    4 | def f(x):
#    5 |     d = {"a": x, "b": 2.0 * x}
#    6 |     key, value = d.popitem()
#      |                  ^^^^^^^^^^^
#
#    It may bring active elements out or put them elsewhere.
#    Way out: read and write the items one by one
