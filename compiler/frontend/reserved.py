"""Names that generated text uses for itself are free in the user's: there, a clash gets another name.

from numpy import zeros            the text calls `zeros_(3)`, and `zeros_` is looked up as the user's `zeros`
u = zeros(3)                  →    u = zeros_(3)
"""

import builtins
import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import gast
import numpy as np

from pullback.compiler.ir.names import Names
from pullback.compiler.ir.walk import every_node, names_in, pattern_names
from pullback.runtime import runtime_function

MODULES: dict[str, Any] = {"np": np, "math": math}
BUILTINS = (
    "range",
    "reversed",
    "len",
    "list",
    "slice",
    "min",
    "getattr",
    "hasattr",
    "isinstance",
    "BaseException",
    "TypeError",
    "type",
    "complex",
)


def renamed(
    tree: gast.FunctionDef,
    names: Names,
    runtime: frozenset[str],
    look_up: Callable[[str], Any],
    claimed: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, str]:
    """Rename what clashes, in place; returns the old name by the new one.

    claimed: globals that functions of other modules read, or other closures: one text holds them all.
    """
    bound = bound_names(tree)
    free = names_in(tree) - bound
    clashes = (bound & {*runtime, *MODULES, *BUILTINS}) | {n for n in free if _is_other(n, runtime, look_up)}
    clashes |= {n for n in free if n in claimed and claimed[n] is not look_up(n)}
    every = Names(names.taken | set(claimed))
    new = {
        old: every.fresh(f"{old}_") if f"{old}_" not in every.taken else every.fresh(f"{old}_own")
        for old in sorted(clashes)
    }
    names.taken |= set(new.values())
    if new:
        rename(tree, new)
    return {fresh: old for old, fresh in new.items()}


def _is_other(name: str, runtime: frozenset[str], look_up: Callable[[str], Any]) -> bool:
    """Does the user's global of this name differ from what the generated text means by it?"""
    if name in MODULES:
        return look_up(name) is not MODULES[name]
    if name in BUILTINS:
        return look_up(name) is not getattr(builtins, name)
    return name in runtime and look_up(name) is not runtime_function(name)


def bound_names(tree: gast.FunctionDef) -> set[str]:
    """Names that the function, or one inside it, binds."""
    nodes = every_node(tree)
    found = {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
    found |= {n.name for n in nodes if isinstance(n, gast.FunctionDef) and n is not tree}
    found |= pattern_names(tree)
    imported = [a for n in nodes if isinstance(n, (gast.Import, gast.ImportFrom)) for a in n.names]
    kept = [a for a in imported if a.asname not in MODULES and a.name not in ("math", "numpy")]
    return found | {a.asname or a.name.split(".")[0] for a in kept}


def rename(tree: gast.FunctionDef, names: dict[str, str]) -> None:
    """Give variables other names, in place."""
    _Rename(names).visit(tree)


def mangle(tree: gast.FunctionDef, qualname: str) -> None:
    """In a class, `self.__rate` is the attribute `_C__rate`, in place."""
    within = [part.split(".") for part in qualname.split(".<locals>.")]
    classes = [part[-2] for part in within if len(part) > 1]
    prefix = f"_{classes[-1].lstrip('_')}" if classes and classes[-1].strip("_") else ""
    for node in every_node(tree):
        private = isinstance(node, gast.Attribute) and node.attr.startswith("__") and not node.attr.endswith("__")
        if private and prefix:
            node.attr = prefix + node.attr


class _Rename(gast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: gast.Name) -> gast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_FunctionDef(self, node: gast.FunctionDef) -> Any:
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_Nonlocal(self, node: gast.Nonlocal) -> gast.Nonlocal:
        node.names = [self.names.get(n, n) for n in node.names]
        return node

    visit_Global = visit_Nonlocal

    def visit_MatchAs(self, node: Any) -> Any:
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node: gast.MatchMapping) -> Any:
        node.rest = self.names.get(node.rest, node.rest)
        return self.generic_visit(node)

    def visit_alias(self, node: gast.alias) -> gast.alias:
        bound = node.asname or node.name
        if bound in self.names:
            node.asname = self.names[bound]
        return node
