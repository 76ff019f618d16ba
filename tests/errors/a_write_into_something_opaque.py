import array

from pullback import grad


def f(x):
    store = array.array("d", [0.0, 0.0])
    store[0] = x
    return store[0] * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_write_into_something_opaque.py:8: cannot follow this write
#
#    6 | def f(x):
#    7 |     store = array.array("d", [0.0, 0.0])
#    8 |     store[0] = x
#      |     ^^^^^^^^^^^^
#
#    What is written to has a type that cannot be settled, so the value's adjoint would be lost.
#    Way out: write into a NumPy array, a list or a dict
