from pullback import jvp


def f(p):
    return p["a"] * p["b"]


def call():
    return jvp(f, ({"a": 1.5, "b": 2.0},), ({"a": "1.0"},))


# --- refused ---
# ArgumentError: the tangent of `p`['a'] is a str, not a number
#    Way out: pass a tangent of the form of the argument
