from pullback import grad


class Rates:
    def __init__(self, **rates):
        for word, rate in rates.items():
            setattr(self, word, rate)


def f(x):
    return Rates(growth=x).growth


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_attribute_set_by_a_name_known_at_run_time.py:7: cannot tell which attribute this sets
#
#    5 |     def __init__(self, **rates):
#    6 |         for word, rate in rates.items():
#    7 |             setattr(self, word, rate)
#      |             ^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Its name is known only when the program runs.
#    Way out: set the attribute by its name, or keep the values in a dict
#
# an_attribute_set_by_a_name_known_at_run_time.py:11: cannot follow the field `growth`, which may have been set through `__dict__`
#
#     9 |
#    10 | def f(x):
#    11 |     return Rates(growth=x).growth
#       |            ^^^^^^^^^^^^^^^^^^^^^^
#
#    What is written to the dict of an object by keys is not followed.
#    Way out: set the fields by their names
