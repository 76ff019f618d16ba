from pullback import grad


class Base:
    def area(self):
        return self.x * self.x


class Model(Base):
    def __init__(self, x):
        self.x = x

    def value(self):
        area = super().area
        return area()


def f(x):
    return Model(x).value()


def call():
    return grad(f)(0.5)


# --- refused ---
# UnsupportedError: a_use_of_super_that_finds_no_method.py:14: cannot follow this use of `super()`
#
#    12 |
#    13 |     def value(self):
#    14 |         area = super().area
#       |                ^^^^^^^^^^^^
#
#    What it finds is not a plain method or property, or the class around it is not known.
#    Way out: name the class, as in `Base.step(self, x)`
