from pullback import grad


class Doubled:
    def __init__(self, x):
        self.items = iter([x, 2.0 * x])

    def __iter__(self):
        return self

    def __next__(self):
        return 2.0 * next(self.items)


def f(x):
    total = 0.0
    for v in Doubled(x):
        total += v
    return total


def call():
    return grad(f)(5.0)


# --- refused ---
# UnsupportedError: a_loop_through_an_object_that_is_its_own_iterator.py:17: cannot follow a loop through an object
#
#    15 | def f(x):
#    16 |     total = 0.0
#    17 |     for v in Doubled(x):
#       |              ^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
