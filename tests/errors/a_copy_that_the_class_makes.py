import copy

from pullback import grad


class Tank:
    def __init__(self, level):
        self.level = level

    def __copy__(self):
        return Tank(self.level / 2.0)


def f(x):
    return copy.copy(Tank(x)).level


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_copy_that_the_class_makes.py:15: cannot follow a copy of this object
#
#    13 |
#    14 | def f(x):
#    15 |     return copy.copy(Tank(x)).level
#       |            ^^^^^^^^^^^^^^^^^^
#
#    Which of its parts are new, and of which types, is not known.
#    Way out: copy its parts one by one
