"""Has a tangent or an adjoint the form of the value it belongs to?"""

from typing import Any

import numpy as np

from pullback.compiler.errors import ArgumentError, Diagnostic


def check_form(value: Any, given: Any, word: str, where: str, spread: bool = False) -> None:
    """Refuse what has not the structure and shapes of a value; None stands for zeros, and `spread` lets a number, or
    an array that broadcasts, stand for an array."""
    if given is None:
        return
    problem = ""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fciub" or isinstance(value, (bool, int, float, complex, np.number)):
        problem = _of_numbers(np.shape(value), given, spread)
    elif isinstance(value, (list, tuple)):
        count = len(given) if hasattr(given, "__len__") and not isinstance(given, (str, dict)) else None
        problem = f"is {_kind(given)}" if count is None else "" if count == len(value) else f"has {count} parts"
        problem += f", not a {type(value).__name__}" if count is None else f", not {len(value)}" if problem else ""
        for i, part in enumerate(value if not problem else ()):
            check_form(part, given[i], word, f"{where}[{i}]", spread)
    elif isinstance(value, dict):
        if not isinstance(given, dict):
            problem = f"is {_kind(given)}, not a dict"
        for key, part in value.items() if not problem else ():
            check_form(part, given.get(key), word, f"{where}[{key!r}]", spread)
    if problem:
        advice = f"pass {'an' if word[0] == 'a' else 'a'} {word} of the form of {'the value' if spread else 'the argument'}"
        raise ArgumentError(Diagnostic("form", f"the {word} of {where} {problem}", advice=advice))


def _of_numbers(shape: tuple[int, ...], given: Any, spread: bool) -> str:
    try:
        numbers = np.asarray(given)
    except ValueError:  # lists of several lengths
        return f"is {_kind(given)}, not an array"
    if numbers.dtype.kind not in "fciub":
        return f"is {_kind(given)}, not {'an array' if shape else 'a number'}"
    fits = numbers.shape == shape
    if not fits and spread:
        try:
            fits = np.broadcast_shapes(numbers.shape, shape) == shape
        except ValueError:
            fits = False
    return "" if fits else f"has shape {numbers.shape}, not {shape}"


def _kind(thing: Any) -> str:
    word = type(thing).__name__
    return f"an array of dtype {thing.dtype}" if isinstance(thing, np.ndarray) else f"a{'n' if word[0] in 'aeiou' else ''} {word}"
