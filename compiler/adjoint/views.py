"""Shadows of views and aliases: the same view is taken of the shadow."""

import functools
from typing import Any

import gast
import numpy as np

from pullback.compiler.adjoint.bars import Bar, Contribution
from pullback.compiler.adjoint.context import Part
from pullback.compiler.adjoint.expressions import Expressions
from pullback.compiler.adjoint.operands import adder, index_value
from pullback.compiler.adjoint.steps import Step
from pullback.compiler.analysis.arithmetic import viewed_argument
from pullback.compiler.analysis.effects import called, layout_matters
from pullback.compiler.analysis.values import FLAT, SCALARS, Value
from pullback.compiler.analysis.zeros import zero_array, zeros_like
from pullback.compiler.ir.template import assign, call, clone, constant, expression, name, stored
from pullback.compiler.ir.walk import assigned, every_node, own_nodes
from pullback.compiler.rules.language import rule_of

COPYING = (
    *("reshape", "ravel", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "diag"),
    *("float64", "float32", "float16", "longdouble"),
)


class Views(Part):
    """The part of the planner that mirrors views, and makes shadows for new objects."""

    def mirrored(self, node: gast.expr) -> gast.expr | None:
        """The same view or alias of the shadow, if the expression is one: u[1:3].T → u_bar[1:3].T. A number is a copy."""
        if self.type_of(node).kind in SCALARS or self.type_of(node).beside:
            return None
        if isinstance(node, gast.Name):
            own = node.id not in self.planner.globals and node.id not in self._inert_items
            shadowed = own and self.shadows.has(self.type_of(node))
            return self.expressions.bar_place(node) if shadowed else None
        if isinstance(node, (gast.Subscript, gast.Attribute)) and not self._is_array_attribute(node):
            if (
                isinstance(node, gast.Subscript)
                and self.type_of(node.value).kind in ("array", "number")
                and (self.type_of(node.value).code == FLAT or self.copies(node))
            ):
                return None
            if not self.shadows.has(self.type_of(node.value)) or not self.expressions.is_part(node):
                return None
            if not self.lies_mirrored(node):
                return None
            return self.expressions.bar_place(node)
        return self._mirrored_view(node)

    @functools.cached_property
    def _inert_items(self) -> set[str]:
        """The targets of loops over what is not active, which has no shadow to take an element of."""
        return {n for top in self.spec.body for s in own_nodes(top) if isinstance(s, gast.For) for n in assigned(s.target)}

    def mirrored_object(self, node: gast.expr) -> gast.expr | None:
        """The mirrored view as an array: of a single entry, which is a number, an array of its own."""
        inner = self.mirrored(node)
        entry = isinstance(node, gast.Subscript) and self.type_of(node.value).numeric and self.may_copy(node)
        return call("np.asarray", inner) if inner is not None and entry else inner

    def copies(self, node: gast.Subscript) -> bool:
        """Is an array or a list among the indices? Then NumPy copies; of an unknown index it tells at run time."""
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        values = [self.type_of(p) for p in parts if not isinstance(p, gast.Slice)]
        values += [i for v in values for i in v.items or ()]
        return any(v.kind in ("array", "list", "bool") or isinstance(_known(v), (list, np.ndarray)) for v in values)

    def _is_array_attribute(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Attribute) and self.type_of(node.value).numeric

    def _mirrored_view(self, node: gast.expr) -> gast.expr | None:
        """Views by a function or method: the call is repeated on the shadow."""
        base = self.viewed(node)
        if base is None or not (self.type_of(base).sites & self.type_of(node).sites) or not self.is_view(node):
            return None
        inner = self.mirrored(base)
        if inner is None:
            return None
        new = clone(node)
        if isinstance(new, gast.Attribute):
            new.value = inner
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.value is base:
            new.func.value = inner
        else:
            new.args[viewed_argument(self.facts.resolved[node], len(node.args))] = inner
        rule = rule_of(self.facts.resolved.get(node))
        return call("writable", new) if rule is not None and rule.locked else new

    def is_view(self, node: gast.expr) -> bool:
        """May the call return memory of its first argument?"""
        if isinstance(node, gast.Attribute):
            return True
        function = self.facts.resolved.get(node)
        rule = rule_of(function)
        return rule is not None and (rule.view or viewed_argument(function, len(node.args)) == 1)  # type: ignore[attr-defined]

    def viewed(self, node: gast.expr) -> gast.expr | None:
        if isinstance(node, gast.Attribute) and self.type_of(node.value).numeric:
            return node.value
        if (
            isinstance(node, gast.Call)
            and isinstance(node.func, gast.Attribute)
            and self.type_of(node.func.value).numeric
        ):
            return node.func.value
        if isinstance(node, gast.Call) and node.args and node in self.facts.resolved:
            return node.args[viewed_argument(self.facts.resolved[node], len(node.args))]
        return None

    def may_copy(self, node: gast.expr) -> bool:
        """Reshaping may copy: NumPy decides by the layout. An item of an array of any rank may be an entry, a copy."""
        for inner in every_node(node):
            if isinstance(inner, gast.Subscript) and self.type_of(inner.value).kind in ("array", "number"):
                if not self.expressions.basic_index(inner) or self._may_be_entry(inner):
                    return True
            if isinstance(inner, gast.Call) and called(self.facts, inner) in COPYING:
                return True
        return False

    def _may_be_entry(self, node: gast.Subscript) -> bool:
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        sliced = any(isinstance(p, gast.Slice) or isinstance(p, gast.Constant) and p.value in (None, ...) for p in parts)
        return self.type_of(node).kind == "number" and not sliced

    def give_back(self, step: Step, node: gast.expr, bar: str) -> None:
        """If the mirrored call copied, what the copy gathered is added to the original."""
        root = self._whole(node)
        if root is node:
            return
        shared = self.expressions.bar_place(root)
        own = isinstance(shared, gast.Name) and shared.id == bar  # m = m.reshape(-1): two shadows by one name
        copied = self.names.fresh(f"new_{bar}") if own and self.hold is None else bar
        added = self.expressions.adjoint(node, Bar(name(copied)))
        body: list[gast.stmt] = [*added.prelude, *(in_place(self.expressions, c) for c in added.found)]
        if body:
            shares = "np.shares_memory(copy, whole)"
            if self.type_of(node).kind not in ("array", "number"):
                shares = "any(np.shares_memory(part, whole) for part in copy)"  # of np.split
            looked_at = expression("c.base", c=copied) if self.type_of(node).code == FLAT else name(copied)
            test = expression(f"not {shares}", copy=looked_at, whole=shared)
            step.finish.append(gast.If(test, body, []))
            step.reads_new.add(bar)
            if own:
                step.take.append(assign(copied, name(bar)))
                step.reads_both.add(bar)

    def _whole(self, node: gast.expr) -> gast.expr:
        """The array that a view is of: a variable, or a place in a container."""
        inner = node.value if isinstance(node, gast.Subscript) else self.viewed(node)
        return node if inner is None or not self.type_of(inner).numeric else self._whole(inner)

    def new_shadow(self, node: gast.expr, target: str) -> gast.expr:
        """The text that makes a shadow of zeros for a new object."""
        if self.planner.containers.is_display(node):
            return self.planner.containers.display_shadow(node)
        value = self.type_of(node)
        if value.kind in SCALARS:
            return zero_array(value)
        if value.kind == "number" and not value.dtype:
            return self.planner.containers.zeros_of(name(target), value)
        if value.kind in ("array", "number"):
            if value.smooth and isinstance(node, (gast.Attribute, gast.Call)) and self.is_view(node) and layout_matters(self.program):
                return call("laid_out", constant(0.0), name(target))  # np.real of complex numbers has gaps
            return zeros_like(value, name(target))
        return call("zeros", name(target))


def in_place(expressions: Expressions, c: Contribution) -> gast.stmt:
    """The contribution as a statement that adds into an existing shadow."""
    target = expressions.bar_place(c.place)
    original = getattr(c.place, "fact_of", c.place)
    if isinstance(target, gast.Subscript) and not expressions.named_once(original):
        function = adder(expressions.type_of(original.value))
        return gast.Expr(call(function, target.value, index_value(target.slice), c.text))
    return gast.AugAssign(stored(target), gast.Add(), c.text)


def _known(value: Value) -> Any:
    return value.known.value if value.known is not None else None
