from pullback import grad


def remember(v, seen=[0.0]):
    seen[0] = v
    return seen[0]


def f(x):
    return remember(x * x) * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_mutable_default_of_a_helper_keeps_active_values.py:5: cannot write an active value into the default `seen`
#
#    3 |
#    4 | def remember(v, seen=[0.0]):
#    5 |     seen[0] = v
#      |     ^^^^^^^^^^^
#
#    The write outlives the call: a mutated default or global keeps it.
#    Way out: make the container inside the function, or pass it in
