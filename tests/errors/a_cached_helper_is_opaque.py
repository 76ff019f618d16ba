import functools

from pullback import grad


@functools.lru_cache(maxsize=None)
def square(v):
    return v * v


def f(x):
    return square(x) * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_cached_helper_is_opaque.py:12: no derivative rule for `square`
#
#    10 |
#    11 | def f(x):
#    12 |     return square(x) * x
#       |            ^^^^^^^^^
#
#    `square` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
