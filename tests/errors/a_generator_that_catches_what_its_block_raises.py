import contextlib

from pullback import grad


@contextlib.contextmanager
def scaled(cell, k):
    cell[0] = cell[0] * k
    try:
        yield
    except ValueError:
        cell[0] = 0.0


def f(x):
    cell = [x]
    with scaled(cell, 3.0):
        cell[0] = cell[0] + x
    return cell[0]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_generator_that_catches_what_its_block_raises.py:17: no derivative rule for `scaled`
#
#    15 | def f(x):
#    16 |     cell = [x]
#    17 |     with scaled(cell, 3.0):
#       |          ^^^^^^^^^^^^^^^^^
#
#    `scaled` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
