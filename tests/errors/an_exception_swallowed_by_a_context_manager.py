import contextlib
import math

from pullback import grad


@contextlib.contextmanager
def tolerant():
    try:
        yield
    except ValueError:
        pass


def f(x):
    y = x
    with tolerant():
        y = math.log(x)
    return y * x


def call():
    return grad(f)(-1.5)


# --- refused ---
# UnsupportedError: an_exception_swallowed_by_a_context_manager.py:17: a context manager swallowed an exception, so that a part of its `with` block did not run, which a derivative cannot follow
#
#    15 | def f(x):
#    16 |     y = x
#    17 |     with tolerant():
#       |     ^^^^^^^^^^^^^^^^
#
#    Way out: catch the exception with `try` and `except`
