from pullback import grad


HISTORY = [0.0]


def f(x):
    HISTORY[0] = x * x
    return HISTORY[0] * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_container_outlives_the_call.py:8: cannot write an active value into the global `HISTORY`
#
#    6 |
#    7 | def f(x):
#    8 |     HISTORY[0] = x * x
#      |     ^^^^^^^^^^^^^^^^^^
#
#    The write outlives the call: a mutated default or global keeps it.
#    Way out: make the container inside the function, or pass it in
