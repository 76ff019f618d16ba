from pullback import grad


def f(x):
    cell = [x]

    class Reset:
        def now(self):
            cell[0] = 2.0

    Reset().now()
    return cell[0] * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_class_that_captures_an_active_variable.py:7: cannot follow what `Reset` does with `cell`
#
#    5 |     cell = [x]
#    6 |
#    7 |     class Reset:
#      |     ^^^^^^^^^^^^
#
#    The class is made anew at each call, and captures what is active, or what it may change.
#    Way out: define it at the top of the module, and pass `cell` to it
