import time

from pullback.compiler.cli import dump, parser

START = time.time()


def f(x: float):
    return x * START


def call():
    return dump(parser().parse_args(["dump", f"{__file__}:f"]))


# --- refused ---
# ArgumentError: a_value_that_exists_only_when_the_file_runs.py:5: the value of `START` exists only when the file runs
#
#    3 | from pullback.compiler.cli import dump, parser
#    4 |
#    5 | START = time.time()
#      |         ^^^^^^^^^^^
#
#    The file is read as text, not run.
#    Way out: use --import, which imports the file, or write the value as a literal
