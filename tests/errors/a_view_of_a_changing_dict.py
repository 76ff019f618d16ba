from pullback import grad


def f(x):
    d = {"a": x}
    values = d.values()
    d["b"] = x * x
    return sum(values)


def call():
    return grad(f)(3.0)


# --- refused ---
# UnsupportedError: a_view_of_a_changing_dict.py:6: cannot follow `values`, a view of a dict that changes
#
#    4 | def f(x):
#    5 |     d = {"a": x}
#    6 |     values = d.values()
#      |     ^^^^^^^^^^^^^^^^^^^
#
#    It shows what the dict holds when it is read, not when it was made.
#    Way out: ask for it where it is read, or keep a copy: `list(d.values())`
