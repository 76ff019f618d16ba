from pullback import grad


def f(x):
    return x * x


def call():
    return grad(f(1.5))


# --- refused ---
# ArgumentError: expected a function, got an object of type float, which is not callable
#    Way out: pass the function itself, not the result of calling it.
