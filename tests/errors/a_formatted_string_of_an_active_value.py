from pullback import grad


def f(x):
    return len(f"{x}") * float(f"{x}")


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_formatted_string_of_an_active_value.py:5: cannot follow a number through text
#
#    3 |
#    4 | def f(x):
#    5 |     return len(f"{x}") * float(f"{x}")
#      |                          ^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
