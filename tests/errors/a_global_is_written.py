from pullback import grad


LAST = 0.0


def f(x):
    global LAST
    LAST = x * x
    return LAST * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_global_is_written.py:9: cannot write an active value to the global `LAST`
#
#    7 | def f(x):
#    8 |     global LAST
#    9 |     LAST = x * x
#      |     ^^^^^^^^^^^^
#
#    The write outlives the call, and its adjoint would have to as well.
#    Way out: return `LAST` and let the caller keep it
