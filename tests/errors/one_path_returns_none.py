from pullback import grad


def f(x):
    if x > 2.0:
        return x * x


def call():
    return grad(f)(1.5)


# --- refused ---
# TypeError: `f` returned None, which has no gradient: add the `return` that one of its paths lacks
