from pullback import grad


def repeat(step):
    step()
    step()


def f(x):
    total = x

    def grow():
        nonlocal total
        total = total * x

    repeat(grow)
    return total


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: nonlocal_in_a_function_passed_away.py:5: cannot follow `grow` here: it rebinds a variable of another function
#
#    3 |
#    4 | def repeat(step):
#    5 |     step()
#      |     ^^^^^^
#
#    The function was passed away from the scope whose variable it rebinds.
#    Way out: return the new value instead of `nonlocal`
#
# nonlocal_in_a_function_passed_away.py:6: cannot follow `grow` here: it rebinds a variable of another function
#
#    4 | def repeat(step):
#    5 |     step()
#    6 |     step()
#      |     ^^^^^^
#
#    The function was passed away from the scope whose variable it rebinds.
#    Way out: return the new value instead of `nonlocal`
