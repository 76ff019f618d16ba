"""Functions that Python calls while a call without text runs as it is: what they write is told by their own text.

sorted(xs, key=order)   where `order` counts its calls, the statement changes the count
"""

import bisect
import functools
import heapq
import itertools
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.functions import closure_of
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Code
from pullback.compiler.analysis.values import OPAQUE, Value, is_callable
from pullback.compiler.frontend.code import code_of
from pullback.compiler.ir.walk import COMPREHENSIONS, every_node, names_in, parameters, root_of

CALLERS = (
    *(map, filter, iter, functools.reduce, itertools.accumulate, itertools.takewhile, itertools.dropwhile),
    *(itertools.starmap, itertools.groupby, itertools.filterfalse, np.apply_along_axis, np.apply_over_axes),
    *(np.fromfunction, np.piecewise, heapq.nsmallest, heapq.nlargest, heapq.merge, bisect.bisect, bisect.insort),
)
LIBRARIES = ("scipy", "re", "timeit", "threading", "concurrent")  # whose functions call what they are given
FRESH = (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare, gast.JoinedStr)  # share no memory with what they are made of
FIRST = ("put", "copyto", "place", "putmask", "fill_diagonal", "put_along_axis", "at", "shuffle")  # write their first argument
OWN = frozenset(
    (
        *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "setdefault", "popitem"),
        *("add", "discard", "appendleft", "extendleft", "popleft", "rotate", "fill", "partition", "itemset", "resize"),
        *("__setitem__", "__delitem__", "__iadd__", "__imul__", "__isub__", "__setattr__", "write", "subtract"),
    )
)  # methods that change their object
ASKED_FOR = frozenset(
    ("__init__", "__new__", "__call__", "__enter__", "__exit__", "__setattr__", "__setitem__", "__delitem__", "__post_init__")
)  # what a text itself calls


STEPPED = ("__iter__", "__next__", "__getitem__", "__len__")
TESTED = ("__bool__", "__len__")
COMPARED = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__iter__", "__getitem__")


def _of(nodes: Callable[[Any], list[Any]], words: tuple[str, ...]) -> Callable[[Any], tuple[list[Any], tuple[str, ...]]]:
    return lambda node: (nodes(node), words)


def _compared(node: gast.Compare) -> list[Any]:
    return [] if all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops) else [node.left, *node.comparators]


ASKING = {  # what asks its operands by methods of their classes: which operands, by which methods
    gast.Compare: _of(_compared, COMPARED),
    gast.BoolOp: _of(lambda n: n.values, TESTED),
    gast.UnaryOp: _of(lambda n: [n.operand] if isinstance(n.op, gast.Not) else [], TESTED),
    gast.IfExp: _of(lambda n: [n.test], TESTED),
    **dict.fromkeys((gast.If, gast.While, gast.Assert), _of(lambda n: [n.test], TESTED)),
    gast.JoinedStr: _of(lambda n: [v.value for v in n.values if isinstance(v, gast.FormattedValue)],
                        ("__format__", "__str__", "__repr__")),
    gast.Subscript: _of(lambda n: n.slice.elts if isinstance(n.slice, gast.Tuple) else [n.slice],
                        ("__index__", "__hash__", "__eq__")),
    gast.Starred: _of(lambda n: [n.value], STEPPED),
    gast.For: _of(lambda n: [n.iter], STEPPED),
    gast.Assign: _of(lambda n: [n.value] if any(isinstance(t, gast.Tuple) for t in n.targets) else [], STEPPED),
    **dict.fromkeys(COMPREHENSIONS, _of(lambda n: [g.iter for g in n.generators], STEPPED)),
}


class Callbacks(Part):
    """The changes that functions among the arguments of a call make."""

    def account(self, node: gast.Call) -> None:
        """What they write is changed by the statement at hand; refused if that is active."""
        if node in self.facts.calls or node in self.facts.meanings:
            return
        given = [*node.args, *(k.value for k in node.keywords)]
        every = [self.facts.types.get(a.value if isinstance(a, gast.Starred) else a, OPAQUE) for a in given]
        others = [v for v in every if not is_callable(v)]
        if isinstance(node.func, gast.Attribute):
            others.append(self.facts.types.get(node.func.value, OPAQUE))
        functions = [v for v in every if is_callable(v)] if self._calls_back(node) else []
        written = [v for function in functions for v in self._written_by(function, others)]
        written += [v for v in every if v.kind == "object" and not self.varied(v) and self._acts_by_itself(v)]
        if any(self.varied(v) for v in written):
            self.refuse(
                node,
                "callback",
                "cannot follow a change by a function that Python calls",
                "It writes something active, and when it is called is not in the program's text.",
                "call it in a loop, or let it return what it would write",
            )
        sites = self.program.sites_from(*written)
        if sites:
            self.changes_sites(self.interpreter.statement, sites)
            self.facts.writes[node] = frozenset(sites)

    def asked(self, node: gast.AST) -> None:
        """What is compared, tested, formatted, gone through or an index may be an inert object that this changes."""
        ask = ASKING.get(type(node))
        operands, words = ask(node) if ask is not None and node not in self.facts.meanings else ([], ())
        for value in (self.facts.types.get(operand, OPAQUE) for operand in operands):
            if value.kind == "object" and not self.varied(value) and self._acts_by_itself(value, words):
                sites = self.program.sites_from(value)
                self.changes_sites(self.interpreter.statement, sites)
                if isinstance(node, gast.expr):
                    self.facts.writes[node] = frozenset(sites)

    def _calls_back(self, node: gast.Call) -> bool:
        thing = self.facts.resolved.get(node)
        library = (getattr(thing, "__module__", None) or "").split(".")[0] in LIBRARIES
        return library or any(k.arg == "key" for k in node.keywords) or any(thing is c for c in CALLERS) or isinstance(thing, np.vectorize)

    def _acts_by_itself(self, value: Value, words: tuple[str, ...] = ()) -> bool:
        """May Python call a special method of an inert object, as `len` and `next` do, or one of these, that changes it?"""
        classes = [c.cls for c in self.program.cells(value) if isinstance(c.cls, type) and closure_of(c.cls) is None]
        methods = {w: f for cls in classes for base in reversed(cls.__mro__) for w, f in vars(base).items()}
        special = (f for w, f in methods.items() if (w in words if words else w.startswith("__") and w not in ASKED_FOR))
        codes = [code for f in special for code in self._read(f)]
        return any(c.parameters and c.parameters[0] in self._written(c, {}, [value], ()) for c in codes)

    def _written_by(self, function: Value, others: list[Value]) -> Iterator[Value]:
        """What a call of a function may change: captured values, or what it is given."""
        for code, held in self._texts(function):
            for name in self._written(code, held, others, ()):
                if name in held:
                    yield held[name]
                elif name in code.parameters:
                    yield from others

    def _texts(self, function: Value) -> Iterator[tuple[Code, Mapping[str, Value]]]:
        """The texts that a function may have, each with the values that it was made with."""
        for cell in self.program.cells(function):
            code = closure_of(cell.cls)
            called = vars(cell.cls).get("__call__") if isinstance(cell.cls, type) else None
            if code is not None:
                yield code, cell.fields
            else:
                yield from ((c, {c.parameters[0]: function}) for c in self._read(called))
        thing = function.known.value if function.known is not None else None
        yield from ((c, {}) for c in self._read(getattr(thing, "__func__", thing)))

    def _read(self, thing: Any) -> list[Code]:
        code = code_of(thing, self.program) if isinstance(thing, types.FunctionType) else None
        return [code] if isinstance(code, Code) else []

    def _written(self, code: Code, held: Mapping[str, Value], others: list[Value], around: tuple[Code, ...]) -> set[str]:
        """The names of a function's text that stand for memory which it may write."""
        shares: dict[str, set[str]] = {}  # of a local variable: what it may be a part of
        found: set[str] = set()
        for node in every_node(code.tree):
            for target, source in _bindings(node, code):
                for bound in names_in(target):
                    shares.setdefault(bound, set()).update(() if isinstance(source, FRESH) else names_in(source))
            found |= _changed(node)
            if isinstance(node, gast.Call) and code not in around:
                found |= self._by_call(node, code, held, others, (*around, code))
        while more := {s for f in found for s in shares.get(f, ())} - found:
            found |= more
        return found

    def _by_call(
        self, node: gast.Call, code: Code, held: Mapping[str, Value], others: list[Value], around: tuple[Code, ...]
    ) -> set[str]:
        """The names in a call whose memory the function called may write."""
        found: set[str] = set()
        for callee, fields, owner in self._callees(node, code, held, others):
            written = self._written(callee, fields, others, around)
            if fields is held:  # a function beside this one captures the same variables
                found |= written & set(held)
            elif written & {*fields, *callee.parameters[:owner]}:
                found |= names_in(node.func)
            for parameter, argument in zip(callee.parameters[owner:], node.args):
                if parameter in written:
                    found |= names_in(argument)
            if len(node.args) > len(callee.parameters) or node.keywords and written & set(callee.parameters):
                found |= {n for a in [*node.args, *(k.value for k in node.keywords)] for n in names_in(a)}
        return found

    def _callees(
        self, node: gast.Call, code: Code, held: Mapping[str, Value], others: list[Value]
    ) -> Iterator[tuple[Code, Mapping[str, Value], int]]:
        """The texts that a call inside a function may run, what they were made with, and how many parameters are bound."""
        if isinstance(node.func, gast.Name):
            word = node.func.id
            if word in held:
                yield from ((c, f, 0) for c, f in self._texts(held[word]))
            elif word not in code.locals:
                inner = [self.program.static.get((outer, word)) for outer in code.ancestors()]
                yield from ((c, held, 0) for c in inner if c is not None)
                yield from ((c, {}, 0) for c in self._read(code.lookup(word)[1]) if not any(inner))
        elif isinstance(node.func, gast.Attribute):
            reached = self.program.sites_from(*held.values(), *others)
            classes = {self.program.heap[s].cls for s in reached if s in self.program.heap}
            for cls in sorted((c for c in classes if isinstance(c, type)), key=lambda c: c.__qualname__):
                yield from ((c, {}, 1) for c in self._read(getattr(cls, node.func.attr, None)))


def _changed(node: gast.AST) -> set[str]:
    """The names of the memory that one node of a text changes itself."""
    if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
        return names_in(root_of(node))
    if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
        return {node.target.id}
    if not isinstance(node, gast.Call):
        return set()
    found = {n for k in node.keywords if k.arg == "out" for n in names_in(k.value)}
    word = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if isinstance(node.func, gast.Attribute) and word in OWN:
        found |= names_in(root_of(node.func.value))
    if word in FIRST and node.args:
        found |= names_in(node.args[0])
    return found


def _bindings(node: gast.AST, code: Code) -> Iterator[tuple[gast.AST, gast.AST]]:
    """What a node of a text binds, each with what it comes from."""
    if isinstance(node, gast.Assign):
        yield from ((t, node.value) for t in node.targets)
    elif isinstance(node, (gast.NamedExpr, gast.AnnAssign)) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, (gast.For, gast.comprehension)):
        yield node.target, node.iter
    elif isinstance(node, gast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr
    elif isinstance(node, (gast.Lambda, gast.FunctionDef)) and node is not code.tree:
        every = gast.Tuple([gast.Name(n, gast.Load(), None, None) for n in (*code.parameters, *code.captured)], gast.Load())
        yield from ((gast.Name(p, gast.Store(), None, None), every) for p in parameters(node))
