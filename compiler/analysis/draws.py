"""What a random draw gives, where it is a single number."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pullback.compiler.analysis.values import SCALARS, Value

GENERATOR = "generator"  # the mark of a source of random numbers
SOURCES = (np.random.Generator, np.random.RandomState)
INTS = {"integers": 2, "randint": 2, "poisson": 1, "binomial": 2, "geometric": 1}  # the place of the parameter `size`
FLOATS = {
    **dict.fromkeys(("random", "random_sample", "rand", "randn", "standard_normal", "standard_exponential"), 0),
    **dict.fromkeys(("exponential", "standard_t", "chisquare", "rayleigh", "standard_gamma"), 1),
    **dict.fromkeys(("normal", "uniform", "beta", "gamma", "lognormal", "laplace", "logistic"), 2),
}


def drawn(method: str, positional: Sequence[Value], keywords: dict[str, Value]) -> Value | None:
    """The number that a method of a random generator gives; None where it may give an array."""
    place = INTS.get(method, FLOATS.get(method))
    every = [*positional, *(v for k, v in keywords.items() if k != "dtype")]
    if place is None or len(positional) > place or "size" in keywords or any(v.kind not in SCALARS for v in every):
        return None
    return Value("int", "int64") if method in INTS else Value("float")


def is_source(thing: Any) -> bool:
    return isinstance(thing, SOURCES)
