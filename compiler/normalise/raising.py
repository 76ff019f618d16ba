"""Which statements may raise an exception that a handler would catch.

    try:                          d[k] may; x * 2.0 may not, for numbers; math.log(x) may,
        v = d[k]                  but no KeyError
        y = x * 2.0
        z = math.log(x)
    except KeyError: ...
"""

import math
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.program import Facts
from pullback.compiler.analysis.values import OPAQUE, Value, identical
from pullback.compiler.rules.language import rule_of

Classes = tuple[type[BaseException], ...]
ANYTHING: Classes = (BaseException,)
WARNED: Classes = (FloatingPointError, RuntimeWarning)  # what NumPy raises where it is told not to warn
NUMBERS: Classes = (*WARNED, OverflowError)
SCALAR: Classes = (*NUMBERS, ValueError, TypeError, ZeroDivisionError)
ARRAYS: Classes = (*NUMBERS, ValueError, TypeError, IndexError, np.linalg.LinAlgError, MemoryError)
ITEMS: dict[str, Classes] = {
    "list": (IndexError, TypeError),
    "tuple": (IndexError, TypeError),
    "array": (IndexError, TypeError),
    "number": (IndexError, TypeError),
    "dict": (KeyError, TypeError),
}
REAL = ("bool", "int", "float")
SMOOTH = (gast.Add, gast.Sub, gast.Mult)
CERTAIN = ("append", "reverse", "clear", "copy")  # methods of lists
HARMLESS = (gast.Constant, gast.Lambda)


class Raising:
    """Asks of statements in simple form, for one set of classes caught."""

    def __init__(self, facts: Facts, caught: Classes) -> None:
        self.facts = facts
        self.caught = caught

    def catches(self, raised: Classes) -> bool:
        return any(issubclass(r, c) or issubclass(c, r) for r in raised for c in self.caught)

    def statement(self, s: gast.stmt) -> bool:
        """May a simple statement raise?"""
        if isinstance(s, (gast.Pass, gast.Break, gast.Global, gast.Nonlocal)) or getattr(s, "certain", False):
            return False
        if isinstance(s, gast.FunctionDef):
            return bool(s.decorator_list or s.args.defaults or s.args.kw_defaults)
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name):
            return self.expression(s.value)
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            left, right = self.type_of(s.target), self.type_of(s.value)
            return self.expression(s.value) or self.catches(_operation(s.op, left, right))
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Subscript):
            target = s.targets[0]
            written = ITEMS.get(self.type_of(target.value).kind, ANYTHING)
            return self.catches((*written, ValueError)) or self.expression(target.slice) or self.expression(s.value)
        return True

    def expression(self, node: gast.AST) -> bool:
        """May evaluating an expression raise?"""
        if isinstance(node, HARMLESS):
            return False
        if self.catches(self.of_node(node)):
            return True
        return any(self.expression(n) for n in gast.iter_child_nodes(node) if isinstance(n, (gast.expr, gast.keyword)))

    def of_node(self, node: gast.AST) -> Classes:
        """What the operation itself may raise, its operands aside."""
        if isinstance(node, gast.AugAssign):
            return _operation(node.op, self.type_of(node.target), self.type_of(node.value))
        if isinstance(node, HARMLESS) or isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            return ()
        method = getattr(self, f"_of_{type(node).__name__}", None)
        return method(node) if method is not None else ANYTHING

    def type_of(self, node: gast.AST) -> Value:
        return self.facts.types.get(node, OPAQUE)

    def _nothing(self, node: gast.AST) -> Classes:
        return ()

    _of_Tuple = _of_List = _of_Slice = _of_keyword = _of_IfExp = _of_BoolOp = _nothing

    def _of_Name(self, node: gast.Name) -> Classes:
        return (NameError,) if self.type_of(node).unbound else ()

    def _of_BinOp(self, node: gast.BinOp) -> Classes:
        return _operation(node.op, self.type_of(node.left), self.type_of(node.right))

    def _of_UnaryOp(self, node: gast.UnaryOp) -> Classes:
        plain = self.type_of(node.operand).kind in REAL or isinstance(node.op, gast.Not)
        return () if plain else NUMBERS if self.type_of(node.operand).numeric else ANYTHING

    def _of_Compare(self, node: gast.Compare) -> Classes:
        if all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
            return ()
        values = [self.type_of(node.left), *(self.type_of(c) for c in node.comparators)]
        if all(v.kind in REAL and not v.optional for v in values):
            return ()
        return (*ARRAYS, TypeError) if all(v.numeric for v in values) else ANYTHING

    def _of_Subscript(self, node: gast.Subscript) -> Classes:
        base = self.type_of(node.value)
        return ANYTHING if base.optional else ITEMS.get(base.kind, ANYTHING)

    def _of_Attribute(self, node: gast.Attribute) -> Classes:
        base = self.type_of(node.value)
        if base.kind == "known" or base.numeric and not base.optional:
            return ()
        return ANYTHING

    def _of_Call(self, node: gast.Call) -> Classes:
        function: Any = self.facts.resolved.get(node)
        owner = node.func.value if isinstance(node.func, gast.Attribute) else None
        if owner is not None and self.type_of(owner).kind == "list" and node.func.attr in CERTAIN:  # type: ignore[attr-defined]
            return ()
        values = [self.type_of(a) for a in node.args]
        if function is len and values[0].kind in ("list", "tuple", "dict") and not values[0].optional:
            return ()
        if node in self.facts.calls or not all(v.numeric and not v.optional for v in values):
            return ANYTHING
        try:
            rule = rule_of(function)
        except TypeError:
            return ANYTHING
        if function in (len, range):
            return () if all(v.kind == "int" if function is range else v.rank for v in values) else SCALAR
        if function in (float, abs, bool):
            return () if all(v.kind in REAL for v in values) else SCALAR
        if isinstance(function, np.ufunc) and len(values) == 1:
            return WARNED
        if getattr(function, "__module__", None) == math.__name__:
            return SCALAR
        return ARRAYS if rule is not None else ANYTHING


def _operation(op: gast.operator, left: Value, right: Value) -> Classes:
    if not (left.numeric and right.numeric) or left.optional or right.optional:
        return ANYTHING
    if isinstance(op, SMOOTH) and left.kind in REAL and right.kind in REAL:
        return NUMBERS
    if isinstance(op, gast.MatMult):
        return ARRAYS
    fits = left.kind in REAL or right.kind in REAL or identical(left.shape, right.shape)
    if isinstance(op, (*SMOOTH, gast.Div)) and "array" in (left.kind, right.kind) and fits:
        return NUMBERS
    return SCALAR if left.kind in REAL and right.kind in REAL else ARRAYS


def caught_by(values: list[Value]) -> Classes:
    """The classes that handlers of these types catch; anything where that is not known."""
    found: list[Any] = []
    for value in values:
        parts = value.items if value.items is not None else (value,)
        found += [p.known.value if p.known is not None else None for p in parts]
    if found and all(isinstance(c, type) and issubclass(c, BaseException) for c in found):
        return tuple(found)
    return ANYTHING
