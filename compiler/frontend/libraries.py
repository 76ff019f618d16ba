"""Which modules come with Python or with installed packages, rather than from the user."""

import importlib
import importlib.util
import os
import site
import sys
import sysconfig
from typing import Any

LIBRARIES = tuple(
    {
        p
        for p in (
            sysconfig.get_path("stdlib"),
            sysconfig.get_path("purelib"),
            sysconfig.get_path("platlib"),
            *site.getsitepackages(),
            os.path.dirname(os.path.dirname(__file__)),  # this compiler
        )
        if p
    }
)


def library(name: str) -> Any:
    """The module of this dotted name, imported if it is a library; else the path of its text.

    Raises ImportError if there is no such module.
    """
    top = name.partition(".")[0]
    if top in sys.stdlib_module_names or top in sys.builtin_module_names or top == "pullback":
        return importlib.import_module(name)
    try:
        spec = importlib.util.find_spec(top)
    except ValueError:  # half-made modules, such as __main__
        spec = None
    if spec is None:
        raise ImportError(f"`{top}` is not installed")
    place = spec.origin or next(iter(spec.submodule_search_locations or ()), "")
    if place.endswith(".py") and not place.startswith(LIBRARIES):
        return place
    return importlib.import_module(name)


def is_library_module(module: Any) -> bool:
    """Does a module object come with Python or with an installed package?"""
    top = module.__name__.partition(".")[0]
    if top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return True
    return str(getattr(module, "__file__", None) or LIBRARIES[0]).startswith(LIBRARIES)
