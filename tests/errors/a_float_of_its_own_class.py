from pullback import grad


class Metres(float):
    def __mul__(self, other):
        return 100.0 * float(other)


def f(x):
    return x * x


def call():
    return grad(f)(Metres(1.5))


# --- refused ---
# ArgumentError: a_float_of_its_own_class.py:9: argument `x` of `f` is a Metres, which has no derivative
#
#    7 |
#    8 |
#    9 | def f(x):
#      | ^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `x`
