from pullback import grad


def area(width, height):
    return width * height


def f(x, k):
    return grad(area, wrt=k)(x, x * x)


def call():
    return grad(f)(1.5, 1)


# --- refused ---
# UnsupportedError: a_derivative_by_a_parameter_known_at_run_time.py:9: cannot tell which derivative this takes
#
#    7 |
#    8 | def f(x, k):
#    9 |     return grad(area, wrt=k)(x, x * x)
#      |                 ^^^^
#
#    `wrt` names no parameter of it, or is known only when the program runs.
#    Way out: name the function, and give `wrt` as a literal
