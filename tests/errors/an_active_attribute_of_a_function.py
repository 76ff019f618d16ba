from pullback import grad


def f(x):
    def square(v):
        return v * v

    square.scale = x
    return square(x) * square.scale


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_active_attribute_of_a_function.py:8: cannot follow this write
#
#    6 |         return v * v
#    7 |
#    8 |     square.scale = x
#      |     ^^^^^^^^^^^^^^^^
#
#    What is written to has a type that cannot be settled, so the value's adjoint would be lost.
#    Way out: write into a NumPy array, a list or a dict
