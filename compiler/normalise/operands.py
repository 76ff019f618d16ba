"""Operands of an expression become simple one after the other, in the order in which Python evaluates them.

f(x) + (y := x)   →   f_x = f(x)
                      y = x
                      f_x + y
"""

from typing import Any

import gast

from pullback.compiler.analysis.functions import closure_of
from pullback.compiler.ir.nodes import stands_alike
from pullback.compiler.ir.template import constant, name
from pullback.compiler.ir.walk import every_node
from pullback.compiler.normalise.context import Part


class Operands(Part):
    """The part of the flattener that deals with operands and arguments."""

    def with_arguments(self, node: gast.Call, out: list[gast.stmt]) -> gast.Call:
        """The call with simple arguments; a nested function keeps what it was known as."""
        given = [*node.args, *(k.value for k in node.keywords)]
        operands = [self._operand(argument, given[i + 1 :], out) for i, argument in enumerate(given)]
        held, named = operands[: len(node.args)], operands[len(node.args) :]
        keywords = [gast.keyword(k.arg, value) for k, value in zip(node.keywords, named)]
        function = node.func
        if self._is_function(function) and not isinstance(function, gast.Name):
            function = self.flattener.named(self.flattener.lowered(function, out), out)
        if isinstance(function, gast.Attribute) and self.flattener.must_move(function.value):
            function = gast.Attribute(self.flattener.lowered(function.value, out), function.attr, gast.Load())
        if self.flattener.mutation.changes_container(node) and not self.is_place(function.value):
            function = gast.Attribute(self.flattener.named(function.value, out), function.attr, gast.Load())
        if self.flattener.mutation.changes_container(node):
            self.flattener.mutation.settle_position(node, held, out)
        return stands_alike(gast.copy_location(gast.Call(function, held, keywords), node), node)

    def _operand(self, node: gast.expr, later: list[gast.expr], out: list[gast.stmt]) -> gast.expr:
        if isinstance(node, gast.Starred):
            once = self.active(node.value) or any(isinstance(n, gast.Call) for n in every_node(node.value))
            inner = self.flattener.named(node.value, out) if once else node.value
            return gast.Starred(inner, gast.Load())
        lowered = self.flattener.lowered(node, out)
        if isinstance(lowered, (gast.List, gast.Dict)) and self.active(node):
            lowered = self.flattener.named(lowered, out)
        return self.kept(lowered, later, out)

    def _is_function(self, node: gast.AST) -> bool:
        """Is it a function that travels as an object?"""
        value = self.type_of(node)
        return value.known is not None and closure_of(value.known.value) is not None

    def kept(self, lowered: gast.expr, later: list[Any], out: list[gast.stmt]) -> gast.expr:
        """An operand as it is now: what is evaluated after it may become statements that change it."""
        if isinstance(lowered, (gast.Constant, gast.Lambda, gast.Slice)):
            return lowered
        if isinstance(lowered, gast.Name):
            if lowered.id not in self.rebound_by(later):
                return lowered
            return self.flattener.targets.as_it_was(lowered, out)
        moves = any(self.flattener.must_move(other) for other in later)
        return self.flattener.named(lowered, out) if moves else lowered

    def rebound_by(self, later: list[Any]) -> set[str]:
        """Variables that evaluating the expressions assigns: by a walrus, or by a function that rebinds them."""
        found: set[str] = set()
        for node in (n for other in later for n in every_node(other)):
            if isinstance(node, gast.NamedExpr):
                found.add(node.target.id)
            elif node in self.facts.calls:
                found |= set(self.facts.calls[node].callee.code.nonlocals)
        return found

    def _spread(self, elements: list[gast.expr]) -> list[gast.expr]:
        """[a, *pair] → [a, pair[0], pair[1]], where the length is known."""
        done: list[gast.expr] = []
        for element in elements:
            items = self.flattener.results.known_results(element.value) if isinstance(element, gast.Starred) else None
            if (
                items is None
                or not isinstance(element, gast.Starred)
                or not isinstance(element.value, gast.Name)
                or not (self.active(element.value))
            ):
                done.append(element)
                continue
            for i, item in enumerate(items):
                part = gast.Subscript(name(element.value.id), constant(i), gast.Load())
                self.facts.types[part] = item
                self.facts.types[part.value] = self.type_of(element.value)
                done.append(part)
        return done

    def with_operands(self, node: gast.expr, out: list[gast.stmt]) -> gast.expr:
        """A copy of an ordinary expression with lowered operands, evaluated in Python's order."""
        kind: Any = type(node)
        new: Any = kind.__new__(kind)
        new.__dict__.update(node.__dict__)
        if node in self.facts.types:
            self.facts.types[new] = self.facts.types[node]
        for field in ("args", "elts"):
            if any(isinstance(e, gast.Starred) for e in getattr(node, field, None) or []):
                setattr(node, field, self._spread(getattr(node, field)))
                setattr(new, field, getattr(node, field))
        children = [(f, v) for f, v in gast.iter_fields(node) if isinstance(v, (gast.expr, list))]
        parts = [v for _, value in children for v in (value if isinstance(value, list) else [value])]
        flat = [p.value if isinstance(p, gast.keyword) else p for p in parts if isinstance(p, (gast.expr, gast.keyword))]
        if isinstance(node, gast.Call) and node in self.facts.resolved:
            self.facts.resolved[new] = self.facts.resolved[node]
        for field, value in children:
            if isinstance(value, list):
                setattr(new, field, [self._child(node, v, flat, out) for v in value])
            else:
                setattr(new, field, self._child(node, value, flat, out))
        return new

    def _child(self, parent: gast.expr, child: Any, flat: list[Any], out: list[gast.stmt]) -> Any:
        if isinstance(child, gast.keyword):
            return gast.keyword(child.arg, self._child(parent, child.value, flat, out))
        if not isinstance(child, gast.expr):
            return child
        later = flat[flat.index(child) + 1 :] if child in flat else []
        if isinstance(parent, gast.Call) and child is parent.func and isinstance(child, gast.Attribute):
            return self._callee(child, later, out)
        lowered = self.flattener.lowered(child, out)
        indexed = isinstance(parent, gast.Subscript) or isinstance(parent, gast.Attribute) and self.is_field(parent)
        if indexed and child is parent.value and self.active(child) and not self.is_place(lowered):
            return self.flattener.named(lowered, out)
        spread = isinstance(parent, gast.Dict) and any(v is child for k, v in zip(parent.keys, parent.values) if k is None)
        if spread and self.active(child) and not self.is_place(lowered):
            return self.flattener.named(lowered, out)
        display = isinstance(lowered, (gast.List, gast.Tuple, gast.Dict)) and self.active(child)
        if display and not isinstance(parent, (gast.Call, gast.List, gast.Tuple, gast.Starred)):
            return self.flattener.named(lowered, out)
        return self.kept(lowered, later, out)

    def _callee(self, node: gast.Attribute, later: list[Any], out: list[gast.stmt]) -> gast.expr:
        """x.dot of x.dot(f(x)): the object as it is now; np.sum stays np.sum."""
        if self.type_of(node).kind == "known":
            return node
        base = self.kept(self.flattener.lowered(node.value, out), later, out)
        new = gast.Attribute(base, node.attr, gast.Load())
        for inner, old in ((new, node), (base, node.value)):
            if old in self.facts.types:
                self.facts.types[inner] = self.facts.types[old]
        return new
