from pullback import grad


def f(x):
    items = [x, 2.0 / x]
    items.sort()
    return items[0]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_list_sorted_in_place.py:6: cannot reverse the list method `sort`
#
#    4 | def f(x):
#    5 |     items = [x, 2.0 / x]
#    6 |     items.sort()
#      |     ^^^^^^^^^^^^
#
#    It moves or removes active elements in place.
#    Way out: build a new list with append
