from pullback import jvp


def f(x):
    return x * x


def call():
    return jvp(f, 1.5, 1.0)


# --- refused ---
# ArgumentError: `args` and `tangents` are not tuples
#    Way out: pass tuples: `jvp(f, (x,), (x_dot,))`
