"""Code is built from Python text: `statements("x_bar += z_bar * y", x="u")`, never from nested constructors."""

import functools
import itertools
from collections.abc import Iterable, Mapping, Set
from typing import Any

import gast

from pullback.compiler.ir.walk import COMPREHENSIONS, every_node, names_in

Replacement = Any


@functools.lru_cache(maxsize=4096)
def _parsed(text: str) -> tuple[gast.stmt, ...]:
    body = gast.parse(text).body
    for node in (n for s in body for n in every_node(s)):
        for place in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            node.__dict__.pop(place, None)  # a position in the template is none in the user's file
    return tuple(body)


def statements(text: str, **names: Replacement) -> list[gast.stmt]:
    """ "y = f(x)" with x="u"  →  [the statement `y = f(u)`]; a name may become any expression."""
    return substituted(_parsed(text), names)


def expression(text: str, **names: Replacement) -> gast.expr:
    """ "a * b" with a=<tree of p + q>  →  the tree of (p + q) * b."""
    statement = _parsed(text)[0]
    assert isinstance(statement, gast.Expr)
    return substituted([statement.value], names)[0]


def name(text: str, store: bool = False) -> gast.Name:
    """A name, read or (store=True) assigned."""
    return gast.Name(text, gast.Store() if store else gast.Load(), None, None)


def constant(value: Any) -> gast.Constant:
    """A literal."""
    return gast.Constant(value, None)


def substituted(trees: Iterable[Any], names: Mapping[str, Replacement]) -> list[Any]:
    """Copies of the trees in which each name of `names` stands replaced; the originals stay as they are."""
    replace = _Replace(names)
    return [replace.visit(clone(tree)) for tree in trees]


def clone(tree: Any) -> Any:
    """A deep copy: no node of a tree is ever shared with another tree; marks such as `origin` point where they did."""
    if isinstance(tree, gast.AST):
        new = tree.__class__.__new__(tree.__class__)
        copied = new.__dict__
        for key, value in tree.__dict__.items():
            child = key in tree._fields and isinstance(value, (gast.AST, list))
            copied[key] = clone(value) if child else value
        return new
    if isinstance(tree, list):
        return [clone(item) for item in tree]
    return tree


class _Replace(gast.NodeTransformer):
    def __init__(self, names: Mapping[str, Replacement]) -> None:
        self.names = names

    def _visit_comprehension(self, node: Any) -> Any:
        """Its own variables give way to what comes in: sum(f(a, i) for i in ...), where a becomes u[i]."""
        coming = [self.names[n] for n in names_in(node) if n in self.names]
        _rename_own(node, {w for new in coming for w in ([new] if isinstance(new, str) else names_in(new))})
        return self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_Name(self, node: gast.Name) -> Any:
        new = self.names.get(node.id)
        if new is None:
            return node
        if isinstance(new, str):
            node.id = new
            return node
        new = clone(new)
        if not isinstance(node.ctx, gast.Load):
            new.ctx = node.ctx
        return new


def _rename_own(comprehension: gast.AST, taken: Set[str]) -> None:
    """Give the variables of a comprehension that have one of these names others, in place."""
    inside = [n for n in every_node(comprehension) if isinstance(n, gast.Name)]
    clashing = {n.id for n in inside if isinstance(n.ctx, gast.Store)} & taken
    free = taken | {n.id for n in inside}
    renamed = {old: next(w for w in (f"{old}{k}" for k in itertools.count(2)) if w not in free) for old in clashing}
    for n in inside:
        n.id = renamed.get(n.id, n.id)


def with_own_names(tree: Any, taken: Set[str]) -> Any:
    """A copy in which no comprehension has a variable of one of these names."""
    new = clone(tree)
    for node in every_node(new):
        if isinstance(node, COMPREHENSIONS):
            _rename_own(node, taken)
    return new


def assign(target: str | gast.expr, value: gast.expr) -> gast.Assign:
    """`target = value`."""
    where = name(target, store=True) if isinstance(target, str) else stored(target)
    return gast.Assign([where], value, None)


def add(target: str | gast.expr, value: gast.expr) -> gast.AugAssign:
    """`target += value`."""
    where = name(target, store=True) if isinstance(target, str) else stored(target)
    return gast.AugAssign(where, gast.Add(), value)


def stored(target: gast.expr) -> gast.expr:
    """The expression as the target of an assignment."""
    target = clone(target)
    target.ctx = gast.Store()
    return target


def loaded(target: gast.expr) -> gast.expr:
    """The target of an assignment as an expression that reads it."""
    target = clone(target)
    for node in every_node(target):
        if isinstance(getattr(node, "ctx", None), gast.Store):
            node.ctx = gast.Load()
    return target


def call(function: str, *arguments: gast.expr) -> gast.Call:
    """`function(*arguments)` for a dotted name."""
    return gast.Call(expression(function), list(arguments), [])
