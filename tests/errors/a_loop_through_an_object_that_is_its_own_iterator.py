from pullback import grad


class Countdown:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return self

    def __next__(self):
        if self.x < 1.0:
            raise StopIteration
        self.x = self.x / 2.0
        return self.x


def f(x):
    total = 0.0
    for v in Countdown(x):
        total += v
    return total


def call():
    return grad(f)(5.0)


# --- refused ---
# UnsupportedError: a_loop_through_an_object_that_is_its_own_iterator.py:20: cannot follow a loop through an object
#
#    18 | def f(x):
#    19 |     total = 0.0
#    20 |     for v in Countdown(x):
#       |              ^^^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
