from pullback import grad


class Tank:
    def __init__(self, level):
        self.level = level

    def drained(self):
        self.level *= 0.5
        return self.level


def emptiest(levels):
    tanks = [Tank(v) for v in levels]
    return min(tanks, key=lambda t: t.drained()).level


def call():
    import numpy as np

    return grad(emptiest)(np.array([0.5, 0.3]))


# --- refused ---
# UnsupportedError: a_key_that_changes_something_active.py:15: cannot follow a change by a function that Python calls
#
#    13 | def emptiest(levels):
#    14 |     tanks = [Tank(v) for v in levels]
#    15 |     return min(tanks, key=lambda t: t.drained()).level
#       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It writes something active, and when it is called is not in the program's text.
#    Way out: call it in a loop, or let it return what it would write
