from pullback import grad


def f(x, flag):
    y = x if flag else "nothing"
    return y * x


def call():
    return grad(f)(1.5, True)


# --- refused ---
# UnsupportedError: text_on_one_path_and_a_number_on_the_other.py:5: cannot tell where this adjoint goes
#
#    3 |
#    4 | def f(x, flag):
#    5 |     y = x if flag else "nothing"
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    It holds an active value, and its parts are not followed, or its kind differs from path to path.
#    Way out: use numbers, arrays, lists or tuples
#
# text_on_one_path_and_a_number_on_the_other.py:6: cannot tell where this adjoint goes
#
#    4 | def f(x, flag):
#    5 |     y = x if flag else "nothing"
#    6 |     return y * x
#      |            ^
#
#    It holds an active value, and its parts are not followed, or its kind differs from path to path.
#    Way out: use numbers, arrays, lists or tuples
