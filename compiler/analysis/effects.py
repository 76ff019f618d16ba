"""Which expressions may be evaluated once for twice, or later: those that do nothing and make nothing that is written."""

from collections.abc import Iterator

import gast
import numpy as np

from pullback.compiler.analysis.calls import READING
from pullback.compiler.analysis.program import Facts, Program
from pullback.compiler.analysis.values import MUTABLE
from pullback.compiler.ir.walk import every_node, own_nodes
from pullback.compiler.rules.language import rule_of

PURE_CALLS = (
    *(len, range, float, int, bool, complex, abs, min, max, round, isinstance, hasattr, list, tuple, dict, zip),
    *(enumerate, reversed, sorted, slice, str, repr, type, id, getattr, divmod, sum, any, all),
)
PURE_MODULES = ("numpy", "math", "operator", "numpy.linalg", "_operator")

LAYOUT = ("reshape", "ravel", "ascontiguousarray", "asfortranarray")  # views or copies, as the memory layout has it


def layout_matters(program: Program) -> bool:
    """May the layout of arrays that come from outside decide what is a view in a program?"""
    nodes = ((n, spec.facts) for spec in program.specs.values() for s in spec.body for n in every_node(s))
    return any(isinstance(n, gast.Call) and called(facts, n) in LAYOUT or getattr(n, "attr", "") in LAYOUT for n, facts in nodes)


def called(facts: Facts, node: gast.Call) -> str:
    """The name of the function or method that is called, whatever the program calls it."""
    word = getattr(facts.resolved.get(node), "__name__", "")
    return word or getattr(node.func, "attr", getattr(node.func, "id", ""))


def acts(facts: Facts, node: gast.Call) -> bool:
    """May a second call of the same text give something else, or do something?"""
    if node in facts.writes or any(k.arg == "out" for k in node.keywords):
        return True
    function = facts.resolved.get(node)
    if function is None or node in facts.calls:
        return not (isinstance(node.func, gast.Attribute) and node.func.attr in READING)
    try:
        known = function in PURE_CALLS or rule_of(function) is not None
    except TypeError:
        return True
    module = getattr(function, "__module__", None) or ""
    return not (known or isinstance(function, np.ufunc) or module in PURE_MODULES)


def acts_behind(facts: Facts, node: gast.AST) -> bool:
    """Does an operator, an item, a property or a call run a method of a class of the program that changes something?"""
    meant = with_meanings(facts, facts.meanings[node]) if node in facts.meanings else ()
    calls = (facts.calls[n].callee for n in meant if n in facts.calls)
    return any(c.written or c.code.nonlocals for c in calls)


def with_meanings(facts: Facts, tree: gast.AST) -> Iterator[gast.AST]:
    """Every node, and every one of what stands for a node."""
    for node in every_node(tree):
        yield node
        if node in facts.meanings:
            yield from with_meanings(facts, facts.meanings[node])


def repeatable(program: Program, facts: Facts, node: gast.expr) -> bool:
    """Does one evaluation do where the same text stands twice? Not where each makes an object that is written."""
    if any(isinstance(n, gast.Call) and acts(facts, n) or acts_behind(facts, n) for n in own_nodes(node)):
        return False
    value = facts.types.get(node)
    if value is None or isinstance(node, (gast.Name, gast.Subscript, gast.Attribute)):
        return True
    return value.kind not in MUTABLE and not any(c.written or c.stored for c in program.cells(value))
