from pullback import grad


def f(x):
    total = 0.0
    for v in (x * w for w in (1.0, 2.0)):
        x = x * v
        total = total + v
    return total


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_generator_that_reads_what_its_loop_changes.py:6: cannot follow this generator: what it reads is changed between two items
#
#    4 | def f(x):
#    5 |     total = 0.0
#    6 |     for v in (x * w for w in (1.0, 2.0)):
#      |              ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    Its items are all made before the first is read.
#    Way out: make a list first, or compute the items in the loop
