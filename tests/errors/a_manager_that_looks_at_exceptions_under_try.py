import math

from pullback import grad


class Held:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.value = 0.0 if kind else self.value


def f(x):
    held = Held(x)
    try:
        with held:
            y = math.log(x)
    except ValueError:
        y = x
    return y * held.value


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_manager_that_looks_at_exceptions_under_try.py:20: cannot follow this context manager under `try`
#
#    18 |     held = Held(x)
#    19 |     try:
#    20 |         with held:
#       |         ^^^^^^^^^^
#
#    Its `__exit__` looks at the exception, and the program goes on after it.
#    Way out: do what its enter and exit do in plain statements
