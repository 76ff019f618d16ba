"""Questions about trees: which names are read and assigned, which statements a block holds."""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import gast

TRIES = (gast.Try, gast.TryStar)
SCOPES = (gast.FunctionDef, gast.Lambda, gast.ClassDef, gast.AsyncFunctionDef)
CAPTURING = (gast.MatchMapping, gast.MatchAs, gast.MatchStar)
WITHOUT_NODES = ("ctx", "op", "ops", "id", "attr", "kind", "type_comment")
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
PERHAPS_EVALUATED = (gast.IfExp, gast.BoolOp, *COMPREHENSIONS)  # what is inside need not be evaluated, or more than once


@functools.cache
def _inner_fields(kind: Any) -> tuple[str, ...]:
    """The fields that may hold nodes worth a visit: contexts (Load, Store) and operators are none."""
    return () if kind is gast.Constant else tuple(f for f in kind._fields if f not in WITHOUT_NODES)


def children(node: gast.AST) -> list[gast.AST]:
    """The nodes directly inside a node, in the order of the text, without contexts and operators."""
    found: list[gast.AST] = []
    for field in _inner_fields(node.__class__):
        value = getattr(node, field, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, gast.AST)]
        elif isinstance(value, gast.AST):
            found.append(value)
    return found


def every_node(tree: gast.AST) -> list[gast.AST]:
    """Every node of a tree except contexts and operators, the outer ones first, as they are now."""
    found = [tree]
    for node in found:  # which grows on the way
        found += children(node)
    return found


def own_nodes(tree: gast.AST) -> Iterator[gast.AST]:
    """Every node of a tree, in the order of the text, except contexts, operators and what is inside a nested function."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting += reversed(children(node))


def names_in(tree: gast.AST) -> set[str]:
    """Every name that stands in a tree, read or bound."""
    return {n.id for n in every_node(tree) if isinstance(n, gast.Name)}


def reads(tree: gast.AST) -> set[str]:
    """Names whose value the tree reads, the free variables of nested functions included."""
    found: set[str] = set()
    comprehends = False
    for node in own_nodes(tree):
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Load):
                found.add(node.id)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            found.add(node.target.id)
        elif isinstance(node, SCOPES):
            found |= free_variables(node)
        elif isinstance(node, COMPREHENSIONS):
            comprehends = True
    return found - comprehension_targets(tree) if comprehends else found


def comprehension_targets(tree: gast.AST) -> set[str]:
    """Names that live only inside comprehensions of the tree and nowhere else in it."""
    inside: set[str] = set()
    outside: set[str] = set()

    def visit(node: gast.AST, bound: frozenset[str]) -> None:
        if isinstance(node, COMPREHENSIONS):
            own = {n.id for g in node.generators for n in every_node(g.target) if isinstance(n, gast.Name)}
            inside.update(own)
            bound = bound | own
        if isinstance(node, gast.Name) and node.id not in bound:
            outside.add(node.id)
        if isinstance(node, SCOPES):
            outside.update(free_variables(node))
            return
        for child in children(node):
            visit(child, bound)

    visit(tree, frozenset())
    return inside - outside


def assigned(tree: gast.AST) -> set[str]:
    """Names the tree binds: assignments, loop targets, definitions, imports, walrus."""
    stored: set[str] = set()
    found: set[str] = set()
    comprehends = False
    for node in own_nodes(tree):
        if isinstance(node, gast.Name):
            if isinstance(node.ctx, gast.Store):
                stored.add(node.id)
        elif isinstance(node, COMPREHENSIONS):
            comprehends = True
        elif isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, gast.alias):
            found.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            found.add(node.name.id if isinstance(node.name, gast.Name) else node.name)
        elif isinstance(node, CAPTURING):
            found |= captures(node)
    return found | (stored - comprehension_targets(tree) if comprehends else stored)


def captures(pattern: Any) -> set[str]:
    """The name that one of the patterns which may bind one binds, if any."""
    word = pattern.rest if isinstance(pattern, gast.MatchMapping) else pattern.name
    return {word} if word else set()


def pattern_names(tree: gast.AST) -> set[str]:
    """Names that patterns bind, in nested functions too."""
    return set().union(*(captures(n) for n in every_node(tree) if isinstance(n, CAPTURING)))


def parameters(function: gast.FunctionDef | gast.Lambda) -> list[str]:
    """All parameter names in order: positional, *args, keyword-only, **kwargs."""
    a = function.args
    every = [
        *a.posonlyargs,
        *a.args,
        *([a.vararg] if a.vararg else []),
        *a.kwonlyargs,
        *([a.kwarg] if a.kwarg else []),
    ]
    return [p.id for p in every]


def free_variables(function: Any) -> set[str]:
    """Names a nested function reads from outside itself (its defaults included)."""
    if isinstance(function, gast.ClassDef):
        parts = [*function.bases, *function.keywords, *function.decorator_list, *function.body]
        return set().union(*(reads(part) for part in parts))
    body = function.body if isinstance(function.body, list) else [function.body]
    bound = set(parameters(function))
    outer: set[str] = set()
    read: set[str] = set()
    for statement in body:
        read |= reads(statement)
        bound |= assigned(statement)
        for node in own_nodes(statement):
            if isinstance(node, (gast.Nonlocal, gast.Global)):
                outer |= set(node.names)
    defaults = [d for d in [*function.args.defaults, *function.args.kw_defaults] if d is not None]
    default_reads = set().union(*(reads(d) for d in defaults)) if defaults else set()
    return (read - bound) | (read & outer) | outer | default_reads


def nonlocals(function: gast.FunctionDef) -> set[str]:
    """Names declared nonlocal in a function's own body."""
    return {name for s in function.body for n in own_nodes(s) if isinstance(n, gast.Nonlocal) for name in n.names}


def rebound_by(function: gast.FunctionDef) -> set[str]:
    """Names of outer functions that calling a function may bind anew: its own nonlocals, and those of functions in it."""
    inside = [n for s in function.body for n in own_nodes(s) if isinstance(n, gast.FunctionDef)]
    own = {*parameters(function), *(n for s in function.body for n in assigned(s))} - nonlocals(function)
    return nonlocals(function).union(*(rebound_by(f) for f in inside)) - own


def root_of(place: Any) -> Any:
    """What a chain of items and fields starts from: p["w"][i] → p."""
    while isinstance(place, (gast.Subscript, gast.Attribute)):
        place = place.value
    return place


def indices_of(place: gast.AST) -> list[gast.expr]:
    """What the items of a place are asked for by: p["w"][i, j] → "w" and (i, j)."""
    return [n.slice for n in every_node(place) if isinstance(n, gast.Subscript)]


def computes(place: gast.AST) -> bool:
    """Does asking for a place call something, or bind a name, so that asking twice would do it twice?"""
    return any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in every_node(place))


def is_permutation(target: gast.Tuple, value: gast.Tuple) -> bool:
    """a, b = b, a: names that change places."""
    names = [e.id for e in target.elts if isinstance(e, gast.Name)]
    sources = [e.id for e in value.elts if isinstance(e, gast.Name)]
    return len(names) == len(target.elts) == len(sources) == len(set(names)) and set(names) == set(sources)


def again(loop: Any) -> gast.expr:
    """What the reverse of a `for` iterates over: the same, or the list of what the loop took."""
    return getattr(loop, "taken", None) or loop.iter


def literal_int(node: gast.expr) -> int | None:
    """The number that is written there, if it is an int."""
    sign = -1 if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub) else 1
    inner = node.operand if isinstance(node, gast.UnaryOp) and sign == -1 else node
    known = isinstance(inner, gast.Constant) and type(inner.value) is int
    return sign * inner.value if known else None


def blocks(statement: gast.stmt) -> list[list[gast.stmt]]:
    """The statement lists directly inside a compound statement."""
    found = [
        getattr(statement, f) for f in ("body", "orelse", "finalbody") if isinstance(getattr(statement, f, None), list)
    ]
    for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
        found.append(part.body)
    return found if not isinstance(statement, SCOPES) else []


def every_statement(body: list[gast.stmt]) -> list[gast.stmt]:
    """The statements of a block and all that they hold, in the order of the text; not those of nested functions."""
    return [found for s in body for found in (s, *(inner for block in blocks(s) for inner in every_statement(block)))]


def rewrite_blocks(body: list[gast.stmt], rewrite: Callable[[list[gast.stmt]], list[gast.stmt]]) -> list[gast.stmt]:
    """Apply `rewrite` to every statement list, innermost first."""
    for statement in body:
        if isinstance(statement, SCOPES):
            continue
        for field in ("body", "orelse", "finalbody"):
            inner = getattr(statement, field, None)
            if isinstance(inner, list):
                setattr(statement, field, rewrite_blocks(inner, rewrite))
        for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
            part.body = rewrite_blocks(part.body, rewrite)
    return rewrite(body)
