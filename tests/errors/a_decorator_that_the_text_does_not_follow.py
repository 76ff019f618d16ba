from pullback.compiler.cli import dump, parser


def traced(g):
    return lambda x: g(x)


@traced
def f(x: float):
    return x * x


def call():
    return dump(parser().parse_args(["dump", f"{__file__}:f"]))


# --- refused ---
# ArgumentError: a_decorator_that_the_text_does_not_follow.py:8: `f` as `@traced` makes it exists only when the file runs
#
#    6 |
#    7 |
#    8 | @traced
#      |  ^^^^^^
#
#    The file is read as text, not run.
#    Way out: use --import, which imports the file, or write the value as a literal
