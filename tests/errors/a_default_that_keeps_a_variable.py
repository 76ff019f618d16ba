from pullback import grad


def f(x):
    k = 2.0

    def scaled(t, k=k):
        return t * k

    return scaled(x) * k


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_default_that_keeps_a_variable.py:10: cannot follow the default arguments of `scaled`
#
#     8 |         return t * k
#     9 |
#    10 |     return scaled(x) * k
#       |            ^^^^^^^^^
#
#    They keep a variable's value from where the function was defined.
#    Way out: pass the value as an argument
