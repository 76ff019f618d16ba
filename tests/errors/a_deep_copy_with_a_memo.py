import copy

from pullback import grad


def f(x):
    return copy.deepcopy([x, x], {})[0]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_deep_copy_with_a_memo.py:7: cannot follow a deep copy of this
#
#    5 |
#    6 | def f(x):
#    7 |     return copy.deepcopy([x, x], {})[0]
#      |            ^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Which of its parts are new, and of which types, is not known.
#    Way out: copy its parts one by one
