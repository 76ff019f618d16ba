"""What context managers do, as statements and plain functions.

    with suppress(KeyError):          →    try:
        y = table[k]                           y = table[k]
                                           except KeyError:
                                               pass

    @contextmanager                        def scaled_enter(k):
    def scaled(k):                             k = 2.0 * k
        k = 2.0 * k                            return k, k
        yield k                       →
        print(k)                           def scaled_exit(k):
                                               print(k)
"""

import contextlib
import functools
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from pullback.compiler.emit.printer import printed
from pullback.compiler.errors import DerivativeError
from pullback.compiler.frontend.source import Source, find_source
from pullback.compiler.ir.template import clone, constant, name
from pullback.compiler.ir.walk import TRIES, assigned, every_node, own_nodes, parameters, reads

HELPER = contextlib.contextmanager(lambda: iter(())).__code__  # of every function that contextmanager made
SOURCES: "weakref.WeakKeyDictionary[Any, Source]" = weakref.WeakKeyDictionary()  # of functions made here


@dataclass(frozen=True)
class Halves:
    """A generator in two functions: up to its `yield`, and from there on."""

    enter: Any  # returns what is yielded, and the variables that the other half reads
    exit: Any
    kept: int  # how many variables that are
    always: bool  # does the second half run after an exception too?


def without_suppress(function: gast.FunctionDef, look_up: Callable[[str], Any]) -> None:
    """Write every `with suppress(...)` as try and except; in place."""
    _Suppressed(look_up).visit(function)


class _Suppressed(gast.NodeTransformer):
    def __init__(self, look_up: Callable[[str], Any]) -> None:
        self.look_up = look_up

    def visit_With(self, s: gast.With) -> Any:
        self.generic_visit(s)
        if not any(self._suppresses(item) for item in s.items):
            return s
        body = s.body
        for item in reversed(s.items):
            new = gast.With([item], body, None)
            if self._suppresses(item):
                classes = item.context_expr.args
                caught = classes[0] if len(classes) == 1 else gast.Tuple(classes, gast.Load())
                quiet = gast.copy_location(gast.ExceptHandler(caught, None, [gast.Pass()]), s)
                new = gast.Try(body, [quiet], [], [])
            body = [gast.copy_location(new, s)]
        return body[0]

    def _suppresses(self, item: Any) -> bool:
        node = item.context_expr
        plain = isinstance(node, gast.Call) and node.args and not node.keywords and item.optional_vars is None
        return bool(plain) and self._thing(node.func) is contextlib.suppress

    def _thing(self, node: gast.expr) -> Any:
        if isinstance(node, gast.Attribute):
            return getattr(self._thing(node.value), node.attr, None)
        return self.look_up(node.id) if isinstance(node, gast.Name) else None


def generator_of(function: Any) -> Any:
    """The generator function that `contextmanager` decorates; None for any other function."""
    made = isinstance(function, types.FunctionType) and function.__code__ is HELPER
    inner = getattr(function, "__wrapped__", None) if made else None
    return inner if isinstance(inner, types.FunctionType) else None


@functools.lru_cache(maxsize=512)
def halves(generator: Any) -> Halves | None:
    """The two halves of a generator with one plain `yield`; None for any other."""
    source = _tree_of(generator)
    found = _split(source.tree.body) if source is not None else None
    if source is None or found is None:
        return None
    before, value, after, always = found
    bound = set(parameters(source.tree)).union(*(assigned(s) for s in before))
    kept = sorted(set().union(*(reads(s) for s in after)) & bound)
    returned = gast.Tuple([value or constant(None), *map(name, kept)], gast.Load())
    last = gast.copy_location(gast.Return(returned), source.tree)
    enter = rewritten_function(generator, source, "enter", clone(source.tree.args), [*before, last])
    leave = rewritten_function(generator, source, "exit", _named(kept), after or [gast.copy_location(gast.Pass(), source.tree)])
    enter.__defaults__, enter.__kwdefaults__ = generator.__defaults__, generator.__kwdefaults__
    return Halves(enter, leave, len(kept), always)


def lets_out(generator: Any) -> bool:
    """Does an exception of the `with` block certainly leave a generator that manages it?"""
    source = _tree_of(generator)
    if source is None:
        return False
    inside = [n for s in source.tree.body for n in own_nodes(s)]
    around = [n for n in inside if isinstance(n, (gast.With, *TRIES)) and _yields(n)]
    return all(isinstance(n, gast.Try) and not n.handlers and not _jumps(n.finalbody) for n in around)


def never_true(function: Any) -> bool:
    """Does a function certainly return something false?"""
    try:
        tree = find_source(function).tree
    except DerivativeError:
        return False
    inside = [n for s in tree.body for n in own_nodes(s)]
    values = [n.value for n in inside if isinstance(n, gast.Return) and n.value is not None]
    return all(isinstance(v, gast.Constant) and not v.value for v in values)


def ignores_exception(function: Any) -> bool:
    """Does an `__exit__` never look at the exception it is handed?"""
    tree = find_source(function).tree
    handed = parameters(tree)[1:]
    return not set(handed) & set().union(*(reads(s) for s in tree.body))


def _tree_of(generator: Any) -> Source | None:
    try:
        return find_source(generator, generators=True)
    except DerivativeError:
        return None


Split = tuple[list[gast.stmt], gast.expr | None, list[gast.stmt], bool]


def _split(body: list[gast.stmt]) -> Split | None:
    """(before, what is yielded, after, does `after` always run) of a body with one plain `yield`."""
    inside = [n for s in body for n in own_nodes(s)]
    odd = (gast.YieldFrom, gast.Global, gast.Nonlocal, gast.Return)
    if sum(isinstance(n, gast.Yield) for n in inside) != 1 or any(isinstance(n, odd) for n in inside):
        return None
    for i, s in enumerate(body):
        if _is_yield(s):
            return body[:i], s.value.value, body[i + 1 :], False
        last = i == len(body) - 1
        if isinstance(s, gast.Try) and len(s.body) == 1 and _is_yield(s.body[0]) and last and not s.handlers:
            return body[:i], s.body[0].value.value, s.finalbody, True
    return None


def _is_yield(s: Any) -> bool:
    return isinstance(s, gast.Expr) and isinstance(s.value, gast.Yield)


def _yields(s: gast.stmt) -> bool:
    return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in own_nodes(s))


def _jumps(body: list[gast.stmt]) -> bool:
    return any(isinstance(n, (gast.Return, gast.Break, gast.Continue)) for s in body for n in own_nodes(s))


def rewritten_function(generator: Any, source: Source, half: str, args: Any, body: list[gast.stmt]) -> Any:
    """A function of another text, one half of a generator say, with the globals and closure that it had."""
    word = f"{generator.__name__}_{half}"
    tree = gast.copy_location(gast.FunctionDef(word, args, clone(body), [], None, None, []), source.tree)
    bare = clone(tree)
    for parameter in (n for n in every_node(bare.args) if isinstance(n, gast.Name)):
        parameter.annotation = None
    bare.args.defaults = [constant(None) for _ in bare.args.defaults]
    bare.args.kw_defaults = [d and constant(None) for d in bare.args.kw_defaults]
    cells = dict(zip(generator.__code__.co_freevars, generator.__closure__ or ()))
    around = gast.FunctionDef("around", _named(list(cells)), [bare], [], None, None, [])
    outer = compile(printed(around), generator.__code__.co_filename, "exec").co_consts[0]
    code = next(c for c in outer.co_consts if isinstance(c, types.CodeType))
    made = types.FunctionType(code, generator.__globals__, word, None, tuple(cells[n] for n in code.co_freevars))
    SOURCES[made] = Source(word, source.file, source.line, source.lines, tree)
    return made


def _named(words: list[str]) -> gast.arguments:
    return gast.arguments([gast.Name(w, gast.Param(), None, None) for w in words], [], None, [], [], None, [])
