from pullback import grad


class Bag:
    def __init__(self, items):
        self.items = items

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, value):
        self.items[i] = value


def f(x, places):
    bag = Bag([x, 2.0 * x])
    bag[places.pop()] += x
    return bag[0] * bag[1]


def call():
    return grad(f)(0.5, [0, 1])


# --- refused ---
# UnsupportedError: an_augmented_item_of_an_object_found_by_a_call.py:17: cannot follow this augmented assignment
#
#    15 | def f(x, places):
#    16 |     bag = Bag([x, 2.0 * x])
#    17 |     bag[places.pop()] += x
#       |     ^^^^^^^^^^^^^^^^^^^^^^
#
#    Its target is read and set by functions of a class, and holds a call.
#    Way out: give what is called a name first
