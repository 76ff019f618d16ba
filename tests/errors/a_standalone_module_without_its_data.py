import numpy as np

from pullback.compiler.cli import dump, parser

RANDOM = np.random.default_rng(0)


def f(x: float):
    return x * RANDOM.normal()


def call():
    return dump(parser().parse_args(["dump", f"{__file__}:f", "--import", "--standalone"]))


# --- refused ---
# ArgumentError: `RANDOM` cannot be written into a standalone module: its value is a Generator, made when the program ran
#    Way out: pass it as an argument, or save the derivative without `standalone`
