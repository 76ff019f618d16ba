from pullback import jvp


def f(x, y):
    return x * y


def call():
    return jvp(f, (1.5, 2.0), (1.0,))


# --- refused ---
# ArgumentError: 2 arguments, but 1 tangents
#    Way out: pass None for an argument that does not move
