from pullback import grad


def f(xs):
    it = iter(xs)
    total = 0.0
    for v in it:
        total = total + v
        if total > 1.0:
            break
    return total * sum(it)


def call():
    return grad(f)([0.5, 1.0, 2.0])


# --- refused ---
# UnsupportedError: what_a_break_leaves_of_an_iterator.py:7: cannot follow what is left of this iterator after a `break`
#
#    5 |     it = iter(xs)
#    6 |     total = 0.0
#    7 |     for v in it:
#      |              ^^
#
#    It is gone through to its end here, and may be read again later.
#    Way out: go through it with `while` and `next`, or through a list by indices
