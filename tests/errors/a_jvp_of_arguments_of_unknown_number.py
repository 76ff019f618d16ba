from pullback import grad, jvp


def product(a, b):
    return a * b


def f(x, names):
    arguments = [x * len(n) for n in names]
    return jvp(product, arguments, arguments)[1]


def call():
    return grad(f)(1.5, ["one", "three"])


# --- refused ---
# UnsupportedError: a_jvp_of_arguments_of_unknown_number.py:10: cannot tell which derivative this takes
#
#     8 | def f(x, names):
#     9 |     arguments = [x * len(n) for n in names]
#    10 |     return jvp(product, arguments, arguments)[1]
#       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    The arguments and their tangents are not two tuples of one known length.
#    Way out: name the function, and give `wrt` as a literal
