from pullback import vjp


def f(x):
    return x * x, 2.0 * x


def call():
    value, pull = vjp(f, 1.5)
    return pull((1.0, 2.0, 3.0))


# --- refused ---
# ArgumentError: the value has 2 parts, the adjoint 3
#    Way out: pass an adjoint with the structure of the value
