import dataclasses

from pullback import grad


@dataclasses.dataclass
class Spring:
    rate: float


@dataclasses.dataclass
class Damper:
    rate: float


def f(x):
    part = Spring(x) if x > 1.0 else Damper(x)
    other = dataclasses.replace(part, rate=x * x)
    return other.rate


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_replacement_in_one_of_two_classes.py:18: cannot follow `replace` of this object
#
#    16 | def f(x):
#    17 |     part = Spring(x) if x > 1.0 else Damper(x)
#    18 |     other = dataclasses.replace(part, rate=x * x)
#       |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Which class it is of is not known before the program runs.
#    Way out: call the class with a value for each field
