from collections import deque

from pullback import grad


def f(x):
    kept = deque([x, 2.0 * x], maxlen=2)
    kept += [x * x]
    return kept[0] * kept[1]


def call():
    return grad(f)(3.0)


# --- refused ---
# UnsupportedError: a_deque_that_is_added_to.py:8: cannot follow this change of a deque with a largest length
#
#    6 | def f(x):
#    7 |     kept = deque([x, 2.0 * x], maxlen=2)
#    8 |     kept += [x * x]
#      |     ^^^^^^^^^^^^^^^
#
#    What is added may push out what is there.
#    Way out: use `append` or `extend`
