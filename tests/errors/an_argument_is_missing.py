from pullback import grad


def f(x, y):
    return x * y


def call():
    return grad(f)(1.5)


# --- refused ---
# TypeError: missing a required argument: 'y'
