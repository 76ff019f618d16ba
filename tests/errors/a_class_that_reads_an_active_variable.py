from pullback import grad


def f(x):
    class Scale:
        def of(self, v):
            return x * v

    return Scale().of(2.0)


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_class_that_reads_an_active_variable.py:5: cannot follow what `Scale` does with `x`
#
#    3 |
#    4 | def f(x):
#    5 |     class Scale:
#      |     ^^^^^^^^^^^^
#
#    The class is made anew at each call, and captures what is active, or what it may change.
#    Way out: define it at the top of the module, and pass `x` to it
