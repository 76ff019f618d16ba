from pullback import grad


def f(x):
    text = f"{x} {x * x}"
    return sum(map(float, text.split())) + float([c for c in text][0])


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: numbers_read_from_the_words_of_a_text.py:6: cannot follow a number through text
#
#    4 | def f(x):
#    5 |     text = f"{x} {x * x}"
#    6 |     return sum(map(float, text.split())) + float([c for c in text][0])
#      |                ^^^^^^^^^^^^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
#
# numbers_read_from_the_words_of_a_text.py:6: cannot follow a number through text
#
#    4 | def f(x):
#    5 |     text = f"{x} {x * x}"
#    6 |     return sum(map(float, text.split())) + float([c for c in text][0])
#      |                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
