"""Primitives with several results get a name for each.

np.split(x, 2)[0] + 1.0   →   split_x_0, split_x_1 = np.split(x, 2)
                              split_x_0 + 1.0
"""

from typing import Any

import gast

from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import name
from pullback.compiler.normalise.context import Part
from pullback.compiler.rules.language import rule_of


class Results(Part):
    """The part of the flattener that deals with primitives of several results."""

    def several_results(self, node: gast.AST) -> bool:
        """Is this a primitive that returns several active results at once?"""
        node = self.flattener.meaning(node)
        if not isinstance(node, gast.Call) or node not in self.facts.resolved or not self.active(node):
            return False
        rule = rule_of(self.facts.resolved[node])
        return rule is not None and rule.form == "rule" and self.known_results(node) is not None

    def known_results(self, node: gast.AST) -> Any:
        value = self.type_of(node)
        if value.kind == "tuple":
            return value.items
        cells = self.program.cells(value)
        return cells[0].items if value.kind == "list" and len(cells) == 1 else None

    def named_results(self, node: gast.Call, out: list[gast.stmt]) -> gast.expr:
        """np.split(x, 2) → part1, part2 = np.split(x, 2); (part1, part2)."""
        node = self.flattener.meaning(node)  # type: ignore[assignment]
        held = [self.names.fresh(f"{described(node)}_{i}") for i in range(len(self.known_results(node)))]
        new = self.flattener.operands.with_arguments(node, out)
        self.facts.resolved[new] = self.facts.resolved[node]
        targets: list[gast.expr] = [name(h, store=True) for h in held]
        out.append(gast.copy_location(gast.Assign([gast.Tuple(targets, gast.Store())], new, None), node))
        parts: list[gast.expr] = [name(h) for h in held]
        display = gast.Tuple if self.type_of(node).kind == "tuple" else gast.List
        return display(parts, gast.Load())

    def one_result(self, node: Any, out: list[gast.stmt]) -> gast.expr:
        """np.linalg.eigh(a)[0], np.linalg.slogdet(a).logdet."""
        display = self.named_results(node.value, out)
        fields = getattr(self.type_of(node.value).code, "_fields", ())
        if isinstance(node, gast.Attribute) and node.attr in fields:
            return display.elts[fields.index(node.attr)]  # type: ignore[attr-defined]
        index = node.slice.value if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) else None
        if isinstance(index, int) and -len(display.elts) <= index < len(display.elts):  # type: ignore[attr-defined]
            return display.elts[index]  # type: ignore[attr-defined]
        held = self.flattener.named(display, out)
        return gast.Subscript(held, node.slice, gast.Load()) if isinstance(node, gast.Subscript) else node
