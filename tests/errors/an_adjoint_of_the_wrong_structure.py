from pullback import vjp


def f(x):
    return x * x, 2.0 * x


def call():
    value, pull = vjp(f, 1.5)
    return pull((1.0, 2.0, 3.0))


# --- refused ---
# ArgumentError: the adjoint of the value has 3 parts, not 2
#    Way out: pass an adjoint of the form of the value
