from pullback import grad


def f(a, b):
    s = a * b
    del b
    try:
        s = b
    except NameError:
        s = s * 2.0
    return s


def call():
    return grad(f)(1.5, 2.0)


# --- refused ---
# UnsupportedError: a_variable_read_after_del.py:8: cannot follow `b`, which may have been deleted
#
#    6 |     del b
#    7 |     try:
#    8 |         s = b
#      |             ^
#
#    The reverse sweep keeps what `del` takes away, so that nothing would be raised here.
#    Way out: test a flag of its own, or leave the variable bound to None
