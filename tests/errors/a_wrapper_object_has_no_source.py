import functools

from pullback import grad


@functools.lru_cache
def f(x):
    return x * x


def call():
    return grad(f)


# --- refused ---
# UnsupportedError: there is no Python source for `f`
#    Only functions written in Python can be read: no builtins, no objects with a __call__.
#    Way out: pass the function that it wraps, its `__wrapped__`.
