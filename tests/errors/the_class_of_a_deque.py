from collections import deque

from pullback import grad


def f(x):
    kept = deque([x, 2.0 * x])
    return kept[0] if isinstance(kept, deque) else kept[1]


def call():
    return grad(f)(3.0)


# --- refused ---
# UnsupportedError: the_class_of_a_deque.py:8: cannot follow a question about the class of a deque of active values
#
#    6 | def f(x):
#    7 |     kept = deque([x, 2.0 * x])
#    8 |     return kept[0] if isinstance(kept, deque) else kept[1]
#      |                       ^^^^^^^^^^^^^^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
