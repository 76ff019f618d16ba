from pullback import grad


class Scale:
    def __init__(self, k):
        self.k = k


def f(x):
    return Scale(x).k * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_class_with_its_own_constructor.py:10: cannot differentiate through a `Scale` built inside the function
#
#     8 |
#     9 | def f(x):
#    10 |     return Scale(x).k * x
#       |            ^^^^^^^^
#
#    Instances of classes with their own `__init__` are not followed.
#    Way out: use a dataclass, a NamedTuple or a dict, or pass the numbers to functions
