"""Generator functions as functions that return the list of what they yield.

def squares(xs):              def squares(xs):
    for x in xs:         →        yielded = []
        yield x * x               for x in xs:
                                      yielded.append(x * x)
                                  return yielded
"""

from collections.abc import Callable
from typing import Any, NoReturn

import gast

from pullback.compiler.errors import Diagnostic, Span, UnsupportedError
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import expression, name, statements
from pullback.compiler.ir.walk import blocks, every_node, own_nodes

YIELDS = (gast.Yield, gast.YieldFrom)
LOOPS = (gast.For, gast.While)
ENDLESS = ("count", "cycle")  # of itertools


def yields(tree: gast.FunctionDef) -> bool:
    """Is it a generator function?"""
    return any(isinstance(n, YIELDS) for s in tree.body for n in own_nodes(s))


def never_ends(tree: gast.FunctionDef) -> bool:
    """Does a generator function go on by itself, for as long as it is asked for items?"""
    return any(isinstance(n, LOOPS) and yields_in(n) and _endless(n) for s in tree.body for n in own_nodes(s))


def may_go_on(tree: gast.FunctionDef) -> bool:
    """Does a generator function end only if it leaves a loop that has no end of its own?"""
    return any(isinstance(n, LOOPS) and yields_in(n) and _has_no_end(n) for s in tree.body for n in own_nodes(s))


def receives(tree: gast.FunctionDef) -> bool:
    """Does a generator function read what is sent to it?"""
    return any(isinstance(n, gast.Assign) and isinstance(n.value, gast.Yield) for s in tree.body for n in own_nodes(s))


def yields_in(node: gast.AST) -> bool:
    return any(isinstance(n, YIELDS) for n in own_nodes(node))


def _endless(s: Any) -> bool:
    """A loop that nothing leaves."""
    left = any(isinstance(n, (gast.Break, gast.Return)) for i in s.body for n in own_nodes(i))
    return not left and _has_no_end(s)


def _has_no_end(s: Any) -> bool:
    if isinstance(s, gast.While):
        return isinstance(s.test, gast.Constant) and bool(s.test.value)
    called = getattr(s.iter, "func", None)
    return getattr(called, "attr", getattr(called, "id", "")) in ENDLESS


def as_list(tree: gast.FunctionDef, names: Names, span: Callable[[Any], Span]) -> None:
    """Rewrite a generator function in place."""
    listing = _Listing(names.fresh("yielded"), names, span)
    body = listing.block(tree.body)
    tree.body = [*statements(f"{listing.made} = []"), *body, *statements(f"return {listing.made}")]
    for node in (n for s in tree.body for n in every_node(s)):
        if isinstance(node, (gast.expr, gast.stmt)) and getattr(node, "lineno", None) is None:
            gast.copy_location(node, tree)


def mark_kept(tree: gast.FunctionDef) -> None:
    """Mark what may be a generator that outlives the place where it is made: it has a name, or is held or returned."""
    for node in (n for s in tree.body for n in own_nodes(s)):
        for part in _keeps(node):
            if isinstance(part, (gast.GeneratorExp, gast.Call)):
                part.kept = True


def _keeps(node: Any) -> list[Any]:
    if isinstance(node, gast.Assign):
        return [] if any(isinstance(t, (gast.Tuple, gast.List)) for t in node.targets) else [node.value]
    if isinstance(node, (gast.Return, gast.NamedExpr, gast.AnnAssign)):
        return [node.value]
    if isinstance(node, (gast.List, gast.Tuple)):
        return node.elts
    if isinstance(node, gast.Dict):
        return node.values
    appends = isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in ("append", "insert")
    return node.args if appends else []


class _Listing:
    def __init__(self, made: str, names: Names, span: Callable[[Any], Span]) -> None:
        self.made = made
        self.names = names
        self.span = span

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [new for s in body for new in self._statement(s)]

    def _statement(self, s: Any) -> list[gast.stmt]:
        if isinstance(s, gast.Expr) and isinstance(s.value, YIELDS):
            return [gast.copy_location(new, s) for new in self._added(s.value)]
        if isinstance(s, gast.Return):
            s.value = name(self.made)
            return [s]
        if isinstance(s, (gast.FunctionDef, gast.ClassDef)):
            return [s]
        inner = blocks(s)
        heads = [n for n in own_nodes(s) if isinstance(n, YIELDS)]
        within = {n for block in inner for i in block for n in own_nodes(i)}
        for node in heads:
            if node not in within:
                cannot_follow(self.span(node), "what `yield` returns is read", "Only a consumer that sends values gives it any.")
        for block in inner:
            block[:] = self.block(block)
        return [s]

    def _added(self, node: Any) -> list[gast.stmt]:
        if isinstance(node, gast.Yield):
            value = node.value or gast.Constant(None, None)
            return [gast.Expr(expression(f"{self.made}.append(v)", v=value))]
        item = self.names.fresh("item")
        return statements(f"{self.made}.extend([{item} for {item} in source])", source=node.value)


def cannot_follow(at: Span, problem: str, cause: str) -> NoReturn:
    """Refuse a generator function."""
    advice = "collect the values in a list and return that"
    raise UnsupportedError(Diagnostic("generator", f"cannot follow this generator: {problem}", at, cause, advice))
