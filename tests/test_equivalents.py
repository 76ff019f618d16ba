"""The texts that stand for functions of Python's own take the keywords that those take."""

import inspect

import pytest

from pullback.compiler.analysis.generators import ENDLESS
from pullback.compiler.analysis.meaning import TEXTS

NAMED = {"accumulate": "iterable func initial", "repeat": "object times", "product": "repeat", "compress": "data selectors",
         "combinations": "iterable r", "combinations_with_replacement": "iterable r", "permutations": "iterable r",
         "groupby": "iterable key", "zip_longest": "fillvalue", "nlargest": "n iterable key", "nsmallest": "n iterable key",
         "merge": "key reverse", "insort_right": "a x lo hi key", "insort_left": "a x lo hi key", "trim_zeros": "filt trim"}


@pytest.mark.parametrize("function", TEXTS, ids=lambda f: f.__name__)
def test_keywords(function):
    taken = inspect.signature(TEXTS[function]).parameters
    wanted = NAMED.get(function.__name__, "").split()
    assert set(wanted) <= taken.keys() or any(p.kind is p.VAR_KEYWORD for p in taken.values())


def test_keywords_of_what_never_ends():
    found = {f.__name__: tuple(inspect.signature(text).parameters) for f, text in ENDLESS.items()}
    assert found == {"count": ("start", "step"), "cycle": ("iterable",), "repeat": ("object",)}
