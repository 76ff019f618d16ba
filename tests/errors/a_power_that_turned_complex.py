from pullback import grad


def f(x):
    y = (x - 1.0) ** 0.5
    return y.imag


def call():
    return grad(f)(0.5)


# --- refused ---
# UnsupportedError: a_power_that_turned_complex.py:5: `(x - 1.0) ** 0.5` is complex here, and could not be known to be
#
#    3 |
#    4 | def f(x):
#    5 |     y = (x - 1.0) ** 0.5
#      |     ^^^^^^^^^^^^^^^^^^^^
#
#    Way out: make it complex for every argument, as by `complex(...)` or `+ 0j`, or real, as by `.real` or `abs`
