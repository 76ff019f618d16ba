import numpy as np

from pullback import grad


def f(a, text):
    if text:
        try:
            scale = float(text)
        except ValueError as problem:
            print(problem)
    else:
        scale = a * 1.0
    parts = [scale]
    parts[0][0] = 2.0
    return np.sum(parts[0] * a)


def call():
    return grad(f)(np.array([1.0, 2.0]), "")


# --- refused ---
# UnsupportedError: a_number_or_a_written_array.py:8: cannot tell whether `scale` is a number or an array
#
#    6 | def f(a, text):
#    7 |     if text:
#    8 |         try:
#      |         ^^^^
#
#    It is a number on one path and on another an array that is written, or held by a container.
#    Way out: use two names, or arrays on every path
