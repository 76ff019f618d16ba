"""Classes defined in a function, made once where they would be the same at every call.

    def f(x):                            def f(x):
        class Pair:                          Pair = Pair2
            def __init__(self, a):   →       return Pair(x).a
                self.a = a
        return Pair(x).a                 where Pair2 is the class that the function's own code makes

One that reads the function's variables, or whose attributes the function assigns, is another at every call:
it stays, and is refused where active values go into it.
"""

import builtins
import types
from typing import Any

import gast

from pullback.compiler.frontend.definitions import codes_within
from pullback.compiler.frontend.libraries import LIBRARIES
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import assign, name
from pullback.compiler.ir.walk import every_node, rewrite_blocks

PLAIN = (gast.FunctionDef, gast.Assign, gast.AnnAssign, gast.Pass, gast.Expr)
MUTABLE = (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp)


def lift_classes(tree: gast.FunctionDef, function: Any, names: Names) -> dict[str, Any]:
    """Rewrite the definitions in place; the classes by the names that the text has for them."""
    if not isinstance(function, types.FunctionType):
        return {}
    lifted: dict[str, Any] = {}
    made: dict[str, Any] = {}
    set_on = {n.value for n in every_node(tree) if isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load)}
    changed = {n.id for n in set_on if isinstance(n, gast.Name)} | {"cls"} & _names_of(set_on)
    types_set = any(isinstance(n, gast.Call) or isinstance(n, gast.Attribute) and n.attr == "__class__" for n in set_on)

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        return [one(s) if isinstance(s, gast.ClassDef) else s for s in body]

    def one(s: gast.ClassDef) -> gast.stmt:
        steady = s.name not in changed and "cls" not in changed and not types_set
        cls = _made(s, function, made) if steady and _is_plain(s, function.__globals__) else None
        if cls is None:
            return s
        made[s.name] = cls
        held = names.fresh(s.name)
        lifted[held] = cls
        new = gast.copy_location(assign(s.name, name(held)), s)
        for node in every_node(new):
            gast.copy_location(node, s)
        return new

    tree.body = rewrite_blocks(tree.body, block)
    return lifted


def _names_of(nodes: set[Any]) -> set[str]:
    return {n.id for n in nodes if isinstance(n, gast.Name)}


def _is_plain(s: gast.ClassDef, space: dict[str, Any]) -> bool:
    """Is there nothing in its body but methods, and values that do not change?"""
    values = [v for v in (getattr(inner, "value", None) for inner in s.body) if v is not None]
    read = {n.id for v in values for n in every_node(v) if isinstance(n, gast.Name)}
    if any(n in space and not callable(space[n]) for n in read):
        return False
    return all(isinstance(inner, PLAIN) for inner in s.body) and not any(isinstance(v, MUTABLE) for v in values)


def _made(s: gast.ClassDef, function: types.FunctionType, others: dict[str, Any]) -> Any:
    """The class, by the code that the function runs to make it; None where that hangs on the call."""
    first = min([s.lineno, *(d.lineno for d in s.decorator_list)])
    codes = list(codes_within(function.__code__))
    found = [c for c in codes if c.co_name == s.name and c.co_firstlineno in (first, s.lineno)]
    outer = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
    cells = {**outer, **{n: types.CellType(c) for n, c in others.items()}, s.name: types.CellType()}
    if len(found) != 1 or not set(found[0].co_freevars) <= cells.keys():
        return None
    space = {**vars(builtins), **function.__globals__, **{n: c.cell_contents for n, c in outer.items()}, **others}
    local = {n for c in codes for n in (*c.co_varnames, *c.co_cellvars)}
    heads = [*s.bases, *(k.value for k in s.keywords), *s.decorator_list]
    used = {n.id for head in heads for n in every_node(head) if isinstance(n, gast.Name)}
    if used & local - others.keys():
        return None
    try:
        bases = [_evaluated(base, space) for base in s.bases]
        options = {k.arg: _evaluated(k.value, space) for k in s.keywords if k.arg is not None}
        decorators = [_evaluated(d, space) for d in s.decorator_list]
        if any(not _from_library(d) for d in decorators):
            return None
        body = types.FunctionType(found[0], function.__globals__, s.name, (), tuple(cells[n] for n in found[0].co_freevars))
        cls = builtins.__build_class__(body, s.name, *bases, **options)  # type: ignore[attr-defined]
        for decorate in reversed(decorators):
            cls = decorate(cls)
    except Exception:  # it hangs on what is there at the call
        return None
    cells[s.name].cell_contents = cls
    return cls if isinstance(cls, type) else None


def _evaluated(node: gast.expr, space: dict[str, Any]) -> Any:
    tree = gast.gast_to_ast(gast.Expression(node))
    return eval(compile(tree, "<class>", "eval"), space)


def _from_library(function: Any) -> bool:
    code = getattr(function, "__code__", None)
    return code is None or code.co_filename.startswith(LIBRARIES)
