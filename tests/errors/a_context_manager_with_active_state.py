import contextlib

from pullback import grad


@contextlib.contextmanager
def scaled(cell, k):
    cell[0] = cell[0] * k
    yield cell


def f(x):
    cell = [x]
    with scaled(cell, 3.0) as c:
        c[0] = c[0] + x
    return cell[0]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_context_manager_with_active_state.py:14: no derivative rule for `scaled`
#
#    12 | def f(x):
#    13 |     cell = [x]
#    14 |     with scaled(cell, 3.0) as c:
#       |          ^^^^^^^^^^^^^^^^^
#
#    `scaled` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
#
# a_context_manager_with_active_state.py:15: cannot follow this write
#
#    13 |     cell = [x]
#    14 |     with scaled(cell, 3.0) as c:
#    15 |         c[0] = c[0] + x
#       |         ^^^^^^^^^^^^^^^
#
#    What is written to has a type that cannot be settled, so the value's adjoint would be lost.
#    Way out: write into a NumPy array, a list or a dict
