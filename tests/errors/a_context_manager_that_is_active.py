import dataclasses

from pullback import grad


@dataclasses.dataclass
class Held:
    value: float

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return False


def f(x):
    held = Held(x)
    with held as h:
        return h.value * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_context_manager_that_is_active.py:19: cannot follow this context manager
#
#    17 | def f(x):
#    18 |     held = Held(x)
#    19 |     with held as h:
#       |          ^^^^
#
#    An active value goes through a `with` block whose code pullback does not follow (a context manager runs a generator).
#    Way out: do what its enter and exit do in plain statements
