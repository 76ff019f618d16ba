import collections
from dataclasses import asdict, dataclass

from pullback import grad


@dataclass
class Point:
    x: float
    y: float


def f(x):
    return asdict(Point(x, 2.0), dict_factory=collections.OrderedDict)["x"]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: the_fields_of_a_dataclass_by_a_factory.py:14: cannot follow the fields of this
#
#    12 |
#    13 | def f(x):
#    14 |     return asdict(Point(x, 2.0), dict_factory=collections.OrderedDict)["x"]
#       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Which of its parts are new, and of which types, is not known.
#    Way out: copy its parts one by one
