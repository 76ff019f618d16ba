from pullback import grad, vjp


def total(xs):
    return sum(xs)


def f(x):
    return vjp(total, [x, 2.0 * x])[1](1.0)[0]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_vjp_of_a_list.py:9: cannot tell which derivative this takes
#
#    7 |
#    8 | def f(x):
#    9 |     return vjp(total, [x, 2.0 * x])[1](1.0)[0]
#      |                ^^^^^
#
#    `xs` is kept for the pullback, and is no number, array or tuple of them.
#    Way out: name the function, and give `wrt` as a literal
