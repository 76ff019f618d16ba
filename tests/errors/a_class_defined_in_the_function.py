from pullback import grad


def f(x):
    scale = x * 2.0

    class Square:
        def __init__(self, side):
            self.side = side

        def area(self):
            return self.side**2 * scale

    return Square(x).area()


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_class_defined_in_the_function.py:14: cannot tell what `Square` calls
#
#    12 |             return self.side**2 * scale
#    13 |
#    14 |     return Square(x).area()
#       |            ^^^^^^^^^
#
#    An active value goes into a class that is made anew at each call.
#    Way out: define the class at the top of the module
