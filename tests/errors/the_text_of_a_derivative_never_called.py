from pullback import grad


def f(x):
    return x * x


def call():
    return grad(f).source


# --- refused ---
# ArgumentError: `f` has not been called yet
#    The derivative is written for the types of its arguments.
#    Way out: call it once, or use `.source_for(*args)`
