from pullback import grad


def f(x):
    Held = type("Held", (), {"x": x * x})
    return Held.x * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_class_made_of_active_values.py:5: cannot follow a class made of active values
#
#    3 |
#    4 | def f(x):
#    5 |     Held = type("Held", (), {"x": x * x})
#      |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Its elements' types cannot be settled before the program runs.
#    Way out: use a list or an array built by a loop
