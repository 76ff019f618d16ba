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
#
# a_value_that_a_generator_returns.py:16: cannot follow a number through text
#
#    14 |     except StopIteration as end:
#    15 |         last = end.value
#    16 |     return first * last
#       |            ^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
