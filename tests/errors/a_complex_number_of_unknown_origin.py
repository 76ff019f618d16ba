import pickle

from pullback import grad

STORED = pickle.dumps(0.3 + 2j)


def f(x):
    y = x * pickle.loads(STORED)
    return abs(y)


def call():
    return grad(f)(0.5)


# --- refused ---
# UnsupportedError: a_complex_number_of_unknown_origin.py:9: `pickle.loads(STORED)` is complex here, and could not be known to be
#
#    7 |
#    8 | def f(x):
#    9 |     y = x * pickle.loads(STORED)
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Way out: make it complex for every argument, as by `complex(...)` or `+ 0j`, or real, as by `.real` or `abs`
