from pullback import grad


def f(x):
    class Scale:
        def of(self, v):
            return x * v

    return Scale().of(2.0)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_class_that_reads_an_active_variable.py:9: cannot tell what `Scale` calls
#
#    7 |             return x * v
#    8 |
#    9 |     return Scale().of(2.0)
#      |            ^^^^^^^
#
#    An active value goes into a class that is made anew at each call.
#    Way out: define the class at the top of the module
