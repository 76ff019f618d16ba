from pullback import grad


class Held:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is ValueError


def f(x):
    with Held(x) as held:
        return held.value * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_context_manager_that_may_swallow_exceptions.py:16: cannot follow this context manager
#
#    14 |
#    15 | def f(x):
#    16 |     with Held(x) as held:
#       |          ^^^^^^^
#
#    An active value goes through it, and it is neither a class whose `__enter__` and `__exit__` can be read, and return nothing true, nor a generator with one plain `yield`.
#    Way out: do what its enter and exit do in plain statements
