"""Random numbers, which are inert: a generator draws what another of its class draws for an example.

    rng = np.random.default_rng(0)
    eps = rng.normal(size=n)         an array of n floats
"""

import functools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from pullback.compiler.analysis.evaluate import result_type
from pullback.compiler.analysis.values import SCALARS, Value, replace

GENERATORS: dict[Any, Callable[[int], Any]] = {
    np.random.Generator: np.random.default_rng,
    np.random.RandomState: np.random.RandomState,
    random.Random: random.Random,
}


@functools.cache
def drawing(cls: Any, method: str) -> Callable[..., Any] | None:
    """A method of a generator that leaves every generator in use alone."""
    if cls not in GENERATORS or not hasattr(cls, method):
        return None
    return lambda *values, **named: getattr(GENERATORS[cls](0), method)(*values, **named)


def drawing_of(thing: Any) -> Callable[..., Any] | None:
    """np.random.normal, random.gauss: methods of generators that the modules keep."""
    owner: Any = type(getattr(thing, "__self__", None))
    return drawing(owner, getattr(thing, "__name__", ""))


def made_generator(thing: Any) -> Any:
    """The class of the generator that a call makes."""
    return np.random.Generator if thing is np.random.default_rng else thing if thing in GENERATORS else None


def draw_type(draw: Any, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """The type of a draw, which is memory of its own; None where an example does not tell it."""
    value = result_type(draw, arguments, keywords)
    plain = all(v.numeric or v.known is not None or v.kind == "tuple" for v in [*arguments, *keywords.values()])
    if "out" in keywords or not value.numeric or value.kind == "number" and not plain:
        return None
    if draw is drawing(random.Random, "choice") and value.kind not in SCALARS:
        return None  # an element as it is
    return replace(value, known=None)
