from pullback import grad


def f(x):
    return (x + 1j) * x


def call():
    return grad(f)(1.5)


# --- refused ---
# ArgumentError: a_complex_number_is_returned.py:4: `f` returns a complex number, which has no gradient
#
#    2 |
#    3 |
#    4 | def f(x):
#      | ^^^^^^^^^
#
#    A gradient is that of a real scalar.
#    Way out: return its real part or its modulus
