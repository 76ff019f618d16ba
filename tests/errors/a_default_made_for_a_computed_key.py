from collections import defaultdict

from pullback import grad


def f(x):
    sums = defaultdict(float)
    sums[str(1)] += x
    return sums["1"]


def call():
    return grad(f)(3.0)


# --- refused ---
# UnsupportedError: a_default_made_for_a_computed_key.py:8: cannot follow this change of an item that may have to be made
#
#    6 | def f(x):
#    7 |     sums = defaultdict(float)
#    8 |     sums[str(1)] += x
#      |     ^^^^^^^^^^^^^^^^^
#
#    Its key or its dict is computed by a call, which would run twice.
#    Way out: give the key a name first
