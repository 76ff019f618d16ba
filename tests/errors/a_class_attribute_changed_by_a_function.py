from pullback import grad


class Settings:
    scale = 1.5


def change():
    Settings.scale = Settings.scale * 2.0


def f(x):
    y = Settings.scale * x * x
    change()
    return y


def call():
    return grad(f)(0.7)


# --- refused ---
# UnsupportedError: a_class_attribute_changed_by_a_function.py:14: cannot put back the attribute of a class or module that this changes
#
#    12 | def f(x):
#    13 |     y = Settings.scale * x * x
#    14 |     change()
#       |     ^^^^^^^^
#
#    Derivatives read an attribute of this name as it was before.
#    Way out: keep the value in an object or a variable, or read it into a variable first
