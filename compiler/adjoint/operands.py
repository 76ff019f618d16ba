"""Values that adjoints read: how an operand, its shape or a result is spelled in the reverse sweep."""

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from pullback.compiler.adjoint.algebra import number
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import CONTAINERS, FLAT, ONCE, SCALARS, Value, identical
from pullback.compiler.ir.template import call, clone, constant, name
from pullback.compiler.ir.walk import every_node, reads

CHEAP_OPERATIONS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.FloorDiv, gast.Mod)
CHEAP_SIZE = 14


class Operands:
    """What is known of the nodes of a function, and the text that gives their values again.

    `hold` is told of every subexpression whose value an adjoint reads and that is worth a variable.
    """

    def __init__(
        self, program: Program, spec: Spec, shadows: Shadows, hold: Callable[[gast.expr], None] | None
    ) -> None:
        self.program = program
        self.spec = spec
        self.shadows = shadows
        self.mixed = mixed_names(spec, shadows)
        self.types = spec.facts.types
        self.names = spec.code.names
        self.hold = hold
        self.result_of: tuple[gast.expr, str] | None = None  # the value of a statement, and the variable it goes to

    def bar_of(self, variable: str, value: Value) -> str:
        """The adjoint variable; one that is a shadow here and a value elsewhere has two."""
        if variable in self.mixed and self.shadows.has(value):
            return self.names.partner(variable, "shadow")
        return self.names.bar(variable)

    def type_of(self, node: gast.AST) -> Value:
        return self.types.get(node, Value("opaque"))

    def active(self, node: gast.AST) -> bool:
        """Does the value depend on an active input? A node made on the way is judged by its parts."""
        if node in self.types:
            return self.program.is_varied(self.types[node])
        return any(n in self.types and self.program.is_varied(self.types[n]) for n in every_node(node))

    def refuse(self, node: gast.AST, problem: str, cause: str = "", advice: str = "") -> None:
        self.program.refuse(self.spec.code, node, "adjoint", problem, cause, advice)

    def is_part(self, node: gast.AST) -> bool:
        """Is this an item or field of a variable: of an array by an index, of a container?"""
        while isinstance(node, (gast.Subscript, gast.Attribute)):
            base = self.type_of(node.value)
            if isinstance(node, gast.Attribute) and base.kind not in ("object", "tuple"):
                return False
            if base.kind not in ("array", "number", *CONTAINERS) and node.value in self.types:
                return False
            if (
                isinstance(node, gast.Subscript)
                and base.kind in ("array", "number")
                and isinstance(node.value, gast.Subscript)
                and not self.basic_index(node.value)
            ):
                return False
            node = node.value
        return isinstance(node, gast.Name)

    def basic_index(self, node: gast.Subscript) -> bool:
        """Does an index name each entry once (integers and slices)?"""
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        if self.type_of(node.value).kind in CONTAINERS:
            return True
        return all(isinstance(p, gast.Slice) or self._basic_value(self.type_of(p)) for p in parts)

    def _basic_value(self, value: Value) -> bool:
        if value.kind == "tuple" and value.items is not None:
            return all(self._basic_value(i) for i in value.items)
        known = value.known is not None and isinstance(value.known.value, (slice, type(Ellipsis), int, type(None)))
        return value.kind in ("int", "none") or value.code == "slice" or known

    def named_once(self, node: gast.Subscript) -> bool:
        """May `bar[index] += c` be used, as no entry is named twice?"""
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        return self.basic_index(node) or (len(parts) == 1 and self.type_of(parts[0]).dtype == "bool")

    def bar_place(self, node: gast.expr) -> gast.expr:
        """The part of the adjoint that goes with a part of a variable: p["w"][i] → p_bar["w"][i]."""
        if isinstance(node, gast.Name):
            return name(self.bar_of(node.id, self.type_of(getattr(node, "fact_of", node))))
        if isinstance(node, gast.Subscript):
            base = self.bar_place(node.value)
            index = node.slice
            return gast.Subscript(base, clone(index), gast.Load())
        assert isinstance(node, gast.Attribute)
        value = self.type_of(node.value)
        if value.kind == "tuple" and value.code is not None:  # the shadow of a named tuple is a list
            return item(self.bar_place(node.value), value.code._fields.index(node.attr))
        return gast.Attribute(self.bar_place(node.value), node.attr, gast.Load())

    def operand(self, node: gast.expr) -> gast.expr:
        """The text that gives an operand's value in the reverse sweep; of a display, its elements'."""
        if self.cheap(node):
            return clone(node)
        if isinstance(node, (gast.List, gast.Tuple)) and not any(isinstance(e, gast.Starred) for e in node.elts):
            return type(node)([self.operand(e) for e in node.elts], gast.Load())
        if self.hold is not None:
            self.hold(node)
        return clone(node)

    def shape(self, node: gast.expr) -> gast.expr:
        """The text of an operand's shape."""
        dims = self.type_of(node).shape
        if dims is not None and all(isinstance(d, int) for d in dims):
            return constant_shape(dims)
        if not (is_variable(node) or self.is_part(node)):
            for part in every_node(node):
                if (
                    isinstance(part, (gast.Name, gast.Subscript))
                    and identical(self.type_of(part).dims, dims)
                    and (self.type_of(part).kind == "array" and self.cheap(part))
                ):
                    return call("np.shape", clone(part))
        if not (is_variable(node) or self.is_part(node)) and self.hold is not None:
            self.hold(node)
        return call("np.shape", clone(node))

    def result(self, node: gast.expr, only: bool = False) -> gast.expr:
        """The text of an operation's own value: its variable, where the statement gave it one."""
        if self.result_of is not None and self.result_of[0] is node and self.result_of[1] is not None:
            target = self.result_of[1]
            if (only and is_plain_call(node)) or target not in reads(node):
                return name(target)
        return self.operand(node)

    def cheap(self, node: gast.AST) -> bool:
        """Is it as good to compute this again as to keep it?"""
        if isinstance(node, (gast.Name, gast.Constant, gast.Slice)) or is_literal(node):
            return True
        if not isinstance(node, gast.expr) or sum(1 for _ in every_node(node)) > CHEAP_SIZE * 3:
            return False
        value = self.type_of(node)
        if isinstance(node, gast.Subscript):
            view = value.kind in (*SCALARS, "array", "number", "list", "tuple", "dict", "opaque", "object")
            return view and self.cheap(node.value) and self._cheap_index(node.slice) and self.basic_index(node)
        if isinstance(node, gast.Attribute):
            return (
                node.attr in ("T", "shape", "size", "ndim", "pi", "real", "imag", "inf", "e", "dtype")
                and self.cheap(node.value)
                or (value.kind != "array" and self.cheap(node.value))
                or self.is_part(node)
            )
        if isinstance(node, gast.Call):
            return self.cheap_call(node)
        if isinstance(node, gast.Tuple):
            return all(self.cheap(e) for e in node.elts)
        if value.kind in SCALARS or value.known is not None:
            if isinstance(node, gast.BinOp) and isinstance(node.op, CHEAP_OPERATIONS):
                return size(node) <= CHEAP_SIZE and self.cheap(node.left) and self.cheap(node.right)
            if isinstance(node, gast.UnaryOp):
                return self.cheap(node.operand)
            if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow):
                return size(node) <= CHEAP_SIZE and number(node.right) is not None and self.cheap(node.left)
        return False

    def _cheap_index(self, index: gast.AST) -> bool:
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        return all(
            self.cheap(b)
            for p in parts
            for b in ([x for x in (p.lower, p.upper, p.step) if x is not None] if isinstance(p, gast.Slice) else [p])
        )

    def cheap_call(self, node: gast.Call) -> bool:
        function = self.spec.facts.resolved.get(node)
        if function in (min, max) and len(node.args) == 1 and not self._can_repeat(self.type_of(node.args[0])):
            return False
        inert_shape = function in (len, np.shape, np.size, np.ndim, float, int, range, min, max)
        return inert_shape and not self.active(node) and all(self.cheap(a) for a in node.args) and not node.keywords

    def _can_repeat(self, value: Value) -> bool:
        """Is it no iterator, which is gone through once?"""
        return value.kind in ("array", "list", "tuple") and value.code != ONCE


def mixed_names(spec: Spec, shadows: Shadows) -> set[str]:
    """Variables that have a shadow at one place of a function and a value adjoint at another."""
    shadowed: set[str] = set()
    valued: set[str] = set()
    for env in [spec.parameters, *spec.facts.after.values()]:
        for variable, value in env.items():
            (shadowed if shadows.has(value) else valued if shadows.has_value_adjoint(value) else set()).add(variable)
    return shadowed & valued


def index_value(index: gast.expr) -> gast.expr:
    """An index as an ordinary value: 1:n → slice(1, n)."""
    if isinstance(index, gast.Slice):
        parts = [clone(p) if p is not None else constant(None) for p in (index.lower, index.upper, index.step)]
        return call("slice", *(parts if index.step is not None else parts[:2]))
    if isinstance(index, gast.Tuple):
        return gast.Tuple([index_value(e) for e in index.elts], gast.Load())
    return clone(index)


def is_variable(node: gast.AST) -> bool:
    return isinstance(node, gast.Name)


def is_leaf(node: gast.AST) -> bool:
    """A name, a literal, or a name with a sign."""
    if isinstance(node, gast.UnaryOp):
        return is_leaf(node.operand)
    return isinstance(node, (gast.Name, gast.Constant)) or (
        isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and isinstance(node.slice, gast.Constant)
    )


def is_literal(node: gast.AST) -> bool:
    return number(node) is not None


def size(node: gast.AST) -> int:
    return sum(1 for n in every_node(node) if isinstance(n, (gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp)))


def is_plain_call(node: gast.expr) -> bool:
    """A call of variables and constants alone, whose adjoint cannot read an old and a new value by one name."""
    return isinstance(node, gast.Call) and all(isinstance(a, (gast.Name, gast.Constant)) for a in node.args)


def adder(array: Value) -> str:
    """What adds to entries of an array, some of them perhaps more than once."""
    return "add_entries" if array.code == FLAT else "np.add.at"


def item(bar: gast.expr, i: int) -> gast.expr:
    return gast.Subscript(clone(bar), constant(i), gast.Load())


def constant_shape(dims: Any) -> gast.expr:
    return gast.Tuple([constant(d) for d in dims], gast.Load())
