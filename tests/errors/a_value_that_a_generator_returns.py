from pullback import grad


def f(x):
    def steps():
        yield x
        return x * 3.0

    walk = steps()
    first = next(walk)
    try:
        next(walk)
        last = 0.0
    except StopIteration as end:
        last = end.value
    return first * last


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_value_that_a_generator_returns.py:15: cannot follow what a generator returned
#
#    13 |         last = 0.0
#    14 |     except StopIteration as end:
#    15 |         last = end.value
#       |                ^^^^^^^^^
#
#    It comes with the exception that ends the generator.
#    Way out: yield the value last, or keep it in a list
