from pullback import grad


def square(x):
    return x * x


def cube(x):
    return x * x * x


def f(x):
    return grad(square if x > 1.0 else cube)(x)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_derivative_of_one_of_two_functions.py:13: cannot tell which derivative this takes
#
#    11 |
#    12 | def f(x):
#    13 |     return grad(square if x > 1.0 else cube)(x)
#       |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It is not one function that can be read.
#    Way out: name the function, and give `wrt` as a literal
