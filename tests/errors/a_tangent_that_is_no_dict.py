from pullback import jvp


def f(p):
    return p["a"] * p["b"]


def call():
    return jvp(f, ({"a": 1.5, "b": 2.0},), (1.0,))


# --- refused ---
# ArgumentError: the tangent of `p` is a float, not a dict
#    Way out: pass a tangent of the form of the argument
