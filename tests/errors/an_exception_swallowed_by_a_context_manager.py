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
# TypeError: a context manager swallowed an exception, so that a part of its `with` block did not run, which a derivative cannot follow: catch the exception with `try` and `except`
