from pullback import grad


def f(x):
    class Local:
        __match_args__ = ("value",)

    held = Local()
    match x, held:
        case (a, Local(v)):
            return a * v
    return x * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_pattern_of_a_class_made_at_run_time.py:9: cannot match on an active value
#
#    7 |
#    8 |     held = Local()
#    9 |     match x, held:
#      |           ^^^^^^^
#
#    A pattern may take an active value apart.
#    Way out: use if and elif, or attributes by name, `C(x=a)`
