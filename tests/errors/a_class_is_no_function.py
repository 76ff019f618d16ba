from pullback import grad


class Model:
    def loss(self, x):
        return x * x


def call():
    return grad(Model)


# --- refused ---
# ArgumentError: `Model` is a class, not a function
#    Way out: name a method of it, or wrap the call in a function.
