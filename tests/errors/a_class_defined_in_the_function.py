from pullback import grad


def f(x, scale):
    class Square:
        def __init__(self, side):
            self.side = side

        def area(self):
            return self.side**2 * scale

    return Square(x).area()


def call():
    return grad(f)(1.5, 2.0)


# --- refused ---
# UnsupportedError: a_class_defined_in_the_function.py:12: cannot tell what `Square` calls
#
#    10 |             return self.side**2 * scale
#    11 |
#    12 |     return Square(x).area()
#       |            ^^^^^^^^^
#
#    An active value goes into a class that is made anew at each call.
#    Way out: define the class at the top of the module
