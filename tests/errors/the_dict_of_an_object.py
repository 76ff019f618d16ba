from types import SimpleNamespace

from pullback import grad


def f(x):
    point = SimpleNamespace(a=x)
    return point.__dict__["a"]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: the_dict_of_an_object.py:8: cannot follow the attribute `__dict__` of an object
#
#    6 | def f(x):
#    7 |     point = SimpleNamespace(a=x)
#    8 |     return point.__dict__["a"]
#      |            ^^^^^^^^^^^^^^
#
#    Active values may come out of it by another way than the fields' own names.
#    Way out: read the fields by their names
