import numpy as np

from pullback import grad


def f(u, names):
    return np.sum(u.astype(names[0]))


def call():
    return grad(f)(np.array([1.0, -2.0]), ("f8", "i8"))


# --- refused ---
# UnsupportedError: a_conversion_to_a_dtype_known_at_run_time_only.py:7: cannot differentiate through this conversion
#
#    5 |
#    6 | def f(u, names):
#    7 |     return np.sum(u.astype(names[0]))
#      |                   ^^^^^^^^^^^^^^^^^^
#
#    Its target is known only when the program runs.
#    Way out: convert to a dtype of floats that the text names
