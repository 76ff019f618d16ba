import operator

from pullback import grad


def f(x, word):
    pick = operator.methodcaller(word)
    return pick([1.0, x])


def call():
    return grad(f)(1.5, "pop")


# --- refused ---
# UnsupportedError: a_caller_made_by_the_operator_module.py:8: cannot tell what `pick` calls
#
#    6 | def f(x, word):
#    7 |     pick = operator.methodcaller(word)
#    8 |     return pick([1.0, x])
#      |            ^^^^^^^^^^^^^^
#
#    An active value goes into a function that is chosen at run time.
#    Way out: call it by a name that pullback can look up: a global, a local function or an argument
