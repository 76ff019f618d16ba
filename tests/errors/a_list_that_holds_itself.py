from pullback import grad


def f(items):
    return items[0] * 2.0


def call():
    items = [1.5]
    items.append(items)
    return grad(f)(items)


# --- refused ---
# ArgumentError: a_list_that_holds_itself.py:4: argument `items` of `f` is a list that holds itself, which has no derivative
#
#    2 |
#    3 |
#    4 | def f(items):
#      | ^^^^^^^^^^^^^
#
#    A gradient is taken with respect to floats.
#    Way out: pass a float or a float array for `items`
