from pullback import grad


def f(x):
    def square(v):
        square.calls += 1
        return v * v

    square.calls = 0
    return square(x) * square.calls


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_attribute_of_a_function_in_itself.py:6: cannot follow this attribute of a function
#
#    4 | def f(x):
#    5 |     def square(v):
#    6 |         square.calls += 1
#      |         ^^^^^^^^^^^^
#
#    The function's text is called, and the object with its attributes is not at hand here.
#    Way out: keep the value in a variable that is declared `nonlocal`
