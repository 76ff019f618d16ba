from pullback import grad


def f(x):
    return len(f"{x}") * float(f"{x}")


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_formatted_string_of_an_active_value.py:5: cannot differentiate this expression
#
#    3 |
#    4 | def f(x):
#    5 |     return len(f"{x}") * float(f"{x}")
#      |                                ^^^^^^
#
#    An expression of this kind (JoinedStr) has no adjoint when active values go into it.
#    Way out: compute it from numbers, arrays and lists, one step a statement
