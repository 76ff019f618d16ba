from pullback import grad


def counted(function):
    def run(x):
        run.calls += 1
        return function(x)

    run.calls = 0
    return run


def f(x):
    @counted
    def square(v):
        return v * v

    return square(x) * square.calls


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_attribute_of_a_returned_function.py:18: cannot follow the attribute `calls` of a function
#
#    16 |         return v * v
#    17 |
#    18 |     return square(x) * square.calls
#       |                        ^^^^^^^^^^^^
#
#    A function that is made inside another one travels without what is set on it.
#    Way out: keep it in a variable of the function around, or in a dict
