from pullback import grad


class Box:
    def __init__(self, fields):
        self.__dict__.update(fields)


def f(x):
    box = Box({"size": 2.0})
    return box.size * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_field_set_through_the_dict_of_an_object.py:11: cannot follow the field `size`, which may have been set through `__dict__`
#
#     9 | def f(x):
#    10 |     box = Box({"size": 2.0})
#    11 |     return box.size * x
#       |            ^^^^^^^^
#
#    What is written to the dict of an object by keys is not followed.
#    Way out: set the fields by their names
