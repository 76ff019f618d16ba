import os


def f(x, name):
    a = name.upper()  # opaque
    b = os.getpid  # known
    c = b()  # opaque
    d = len(name)  # int
    return x


ARGS = (2.0, "n")
