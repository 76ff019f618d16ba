from pullback import grad


def f(x):
    return x * x


def call():
    return grad(f, backend="fortran")


# --- refused ---
# ArgumentError: there is no backend 'fortran'
#    Way out: use backend="numpy"
