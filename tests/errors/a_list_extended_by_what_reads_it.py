from pullback import grad


def f(x):
    xs = [x]
    xs.extend(2.0 * xs[-1] for _ in range(3))
    return xs[-1]


def call():
    return grad(f)(0.5)


# --- refused ---
# UnsupportedError: a_list_extended_by_what_reads_it.py:6: cannot extend a list by a generator that reads it
#
#    4 | def f(x):
#    5 |     xs = [x]
#    6 |     xs.extend(2.0 * xs[-1] for _ in range(3))
#      |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Each item is made when the one before it is in the list already.
#    Way out: append in a loop
