from collections import deque

from pullback import grad


def f(x):
    if x > 2.0:
        kept = deque(maxlen=2)
    else:
        kept = deque(maxlen=3)
    for k in range(5):
        kept.append(x * k)
    return sum(kept)


def call():
    return grad(f)(3.0)


# --- refused ---
# UnsupportedError: a_deque_of_several_lengths.py:12: cannot follow this use of a deque
#
#    10 |         kept = deque(maxlen=3)
#    11 |     for k in range(5):
#    12 |         kept.append(x * k)
#       |         ^^^^^^^^^^^^^^^^^^
#
#    Its length or default was computed in another function, or is not the same on every path.
#    Way out: give it as a constant, or use it in the function that makes it
