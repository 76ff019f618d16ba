"""All that generated code may name besides NumPy. Imports NumPy alone, nothing of the compiler.

    arrays.py      broadcasting undone, products that may meet infinity, slopes at the edge
    reductions.py  linalg.py  shaping.py  selection.py  special.py ...   what the rules of a family name
    shadows.py     adjoints of lists, tuples, dicts and objects
    patterns.py    what a `match` asks of its subject; attempts.py: what a `try` cannot take back
    refusals.py    the error of what is refused while it runs
"""

import functools
import importlib
import inspect
import pkgutil
from typing import Any


@functools.cache
def _functions() -> dict[str, Any]:
    """Every public function and class of this package by its name."""
    found: dict[str, Any] = {}
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__)):
        loaded = importlib.import_module(f"{__name__}.{module}")
        for name, thing in vars(loaded).items():
            if (inspect.isfunction(thing) or inspect.isclass(thing)) and thing.__module__ == loaded.__name__:
                found[name] = thing
    return found


def runtime_function(name: str) -> Any:
    """The runtime function of this name, or None."""
    return _functions().get(name)


RUNTIME_NAMES = frozenset(_functions())
