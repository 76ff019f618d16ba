from pullback import grad


def f(x):
    d = {"a": x, "b": 2.0 * x}
    e = d.__or__({"c": x})
    return e["a"]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_method_that_is_an_operator.py:6: cannot follow the method `__or__` of a dict
#
#    4 | def f(x):
#    5 |     d = {"a": x, "b": 2.0 * x}
#    6 |     e = d.__or__({"c": x})
#      |         ^^^^^^^^^^^^^^^^^^
#
#    It may bring active elements out or put them elsewhere.
#    Way out: read and write the items one by one
