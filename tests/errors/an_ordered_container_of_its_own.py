from collections import deque

from pullback import grad


def f(state):
    return state["queue"][0] * state["rate"]


def call():
    return grad(f)({"queue": deque([1.0, 2.0]), "rate": 0.5})


# --- refused ---
# ArgumentError: an_ordered_container_of_its_own.py:6: argument `state` of `f` is a dict with a deque in it, which has no derivative
#
#    4 |
#    5 |
#    6 | def f(state):
#      | ^^^^^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `state`
