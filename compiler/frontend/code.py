"""Function objects and nested definitions as Code in normal form."""

import types
from typing import Any

import gast

from pullback.compiler.analysis.program import Code, Program
from pullback.compiler.errors import DerivativeError
from pullback.compiler.frontend.libraries import LIBRARIES
from pullback.compiler.frontend.source import Source, find_source
from pullback.compiler.frontend.text_module import TextFunction
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import clone
from pullback.compiler.ir.walk import parameters
from pullback.compiler.normalise.exits import one_exit
from pullback.compiler.normalise.reserved import renamed
from pullback.runtime import RUNTIME_NAMES


def is_library(function: types.FunctionType) -> bool:
    """Does a function come with Python or with an installed package?"""
    return function.__code__.co_filename.startswith(LIBRARIES)


def code_of(function: types.FunctionType, program: Program) -> Code | Exception | None:
    """The Code of a function object, once for a program; the refusal, if its source cannot be had."""
    known = program.nested.get(function)  # type: ignore[call-overload]
    if known is None:
        try:
            source = function.source if isinstance(function, TextFunction) else find_source(function)
            known = code_from_source(source, function)
        except DerivativeError as refusal:
            return refusal
        program.nested[function] = known  # type: ignore[index]
    return known


def code_from_source(source: Source, function: Any = None, module: dict[str, Any] | None = None) -> Code:
    """A function's source as Code: a copy of its tree, in normal form as far as syntax goes."""
    tree = clone(source.tree)
    names = Names(_all_names(tree))
    tree.body = _without_docstring(tree.body)
    plain = Code(source.name, source.file, source.lines, tree, names, function, None, module)
    aliases = renamed(tree, names, RUNTIME_NAMES, lambda n: plain.lookup(n)[1])
    one_exit(tree, names)
    return Code(source.name, source.file, source.lines, tree, names, function, None, module, aliases)


def nested_code(node: Any, parent: Code) -> Code:
    """A function defined inside another one as Code; the outer text keeps its own definition."""
    if isinstance(node, gast.Lambda):
        tree = gast.FunctionDef(f"lambda_{node.lineno}", clone(node.args), [gast.Return(clone(node.body))],
                                [], None, None, [])
        gast.copy_location(tree, node)
        gast.copy_location(tree.body[0], node.body)
    else:
        tree = clone(node)
        tree.decorator_list = []
    names = Names(_all_names(tree) | parent.names.taken)
    tree.body = _without_docstring(tree.body)
    one_exit(tree, names)
    return Code(tree.name, parent.file, parent.lines, tree, names, None, parent)


def _without_docstring(body: list[gast.stmt]) -> list[gast.stmt]:
    """Bare string statements say nothing at run time."""
    kept = [s for s in body if not (isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant)
                                    and isinstance(s.value.value, str))]
    return kept or [gast.Pass()]


def _all_names(tree: gast.FunctionDef) -> set[str]:
    found = {n.id for n in gast.walk(tree) if isinstance(n, gast.Name)} | set(parameters(tree))
    return found | {n.name for n in gast.walk(tree) if isinstance(n, gast.FunctionDef)} | {
        a.asname or a.name for n in gast.walk(tree) if isinstance(n, (gast.Import, gast.ImportFrom)) for a in n.names}
