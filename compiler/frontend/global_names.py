"""Globals that a module's functions assign, as fields of one object, which other functions see changed.

    def step(x):                        def step(x):
        global CALLS              →         globals_of_model.CALLS += 1
        CALLS += 1                          return x * x
        return x * x
"""

import re
import types
import weakref
from collections.abc import Mapping
from typing import Any

import gast

from pullback.compiler.frontend.nested import share_variables
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.walk import every_node, names_in
from pullback.runtime.functions import Globals

_DECLARED = re.compile(r"\s*global\s+(\w[\w\s,]*)")
_made: weakref.WeakValueDictionary[int, Globals] = weakref.WeakValueDictionary()  # by their module's dict


def share_globals(tree: gast.FunctionDef, lines: tuple[str, ...], function: Any, names: Names) -> dict[str, Any]:
    """Rewrite a function in place; the object by the name that its text has for it, if it needs one."""
    if not isinstance(function, types.FunctionType):
        return {}
    used = names_in(tree)
    declared = {n for line in lines if (found := _DECLARED.match(line)) for n in re.findall(r"\w+", found[1])}
    shared = (declared & used) - _defined(tree)
    if not shared:
        return {}
    space = function.__globals__
    module = re.sub(r"\W", "_", str(space.get("__name__", ""))).strip("_")
    holder = f"globals_of_{module}"
    if holder in names.taken:
        return {}
    names.taken.add(holder)
    share_variables(tree, shared, names, holder)
    return {holder: _globals_of(space, declared)}


def _defined(tree: gast.FunctionDef) -> set[str]:
    """Names that definitions, imports or handlers bind: no assignments."""
    found: set[str] = set()
    for node in every_node(tree):
        if isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, gast.alias):
            found.add(node.asname or node.name)
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            found.add(node.name.id)
    return found


def _globals_of(space: Mapping[str, Any], declared: set[str]) -> Globals:
    known = _made.get(id(space))
    if known is None:
        known = _made[id(space)] = Globals(space)
    known.declared |= declared
    return known
