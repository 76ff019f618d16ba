import collections

from pullback import grad


def f(x):
    both = collections.ChainMap({"a": x}, {"b": 2.0})
    return both["a"] * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_object_of_a_library_has_no_rule.py:7: no derivative rule for `ChainMap`
#
#    5 |
#    6 | def f(x):
#    7 |     both = collections.ChainMap({"a": x}, {"b": 2.0})
#      |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    `ChainMap` is opaque: pullback cannot read its constructor.
#    Way out: keep the values in a list, a dict or an array
