"""Sets of active values: lists without repetition stand for them.

s = set()          →   s = []
s.add(x)           →   added(s, x), a function of frontend/set_texts.py
{f(v) for v in u}  →   made([f(v) for v in u])
for v in s:        →   for v in in_order(s):

Whether a set that begins empty will hold active values shows later: then inference starts anew.
"""

from typing import Any

import gast

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import ActiveSet, Env
from pullback.compiler.analysis.stand_ins import standing, stands_for
from pullback.compiler.analysis.values import NONE, StandIn, Value, replace
from pullback.compiler.frontend import set_texts
from pullback.compiler.ir.template import name

CHANGES = {"add": set_texts.added, "discard": set_texts.discarded, "remove": set_texts.removed, "update": set_texts.updated}
MADE = {
    "union": set_texts.united,
    "intersection": set_texts.common,
    "difference": set_texts.without,
    "symmetric_difference": set_texts.apart,
}
OPERATORS: dict[type, Any] = {
    gast.BitOr: set_texts.united,
    gast.BitAnd: set_texts.common,
    gast.Sub: set_texts.without,
    gast.BitXor: set_texts.apart,
}


class Sets(Part):
    """The transfer function of sets."""

    def call_set(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """set(xs), frozenset(xs)."""
        cls = frozenset if self.facts.resolved.get(node) is frozenset else set
        sources = node.args or [gast.List([], gast.Load())]
        return self._made(node, sources[0], positional, cls, env)

    def of_Set(self, node: gast.Set, env: Env) -> Value:
        values = [self.value(e.value if isinstance(e, gast.Starred) else e, env) for e in node.elts]
        return self._made(node, gast.List(node.elts, gast.Load()), values, set, env)

    def of_SetComp(self, node: gast.SetComp, env: Env) -> Value:
        inner = self.interpreter.expressions.comprehended(node, env)
        value = self.value(node.elt, inner)
        return self._made(node, gast.ListComp(node.elt, node.generators), [value], set, env)

    def _made(self, node: Any, source: gast.expr, values: list[Value], cls: type, env: Env) -> Value:
        place = (self.code.file, getattr(node, "lineno", None), getattr(node, "col_offset", None))
        if any(self.varied(v) for v in values) or place in self.program.active_sets:
            listed = gast.Call(self.given(set_texts.made), [source], [])
            return self.meant(node, lambda: standing(listed, StandIn(cls)), env, cls)
        value = self.unknown(node, *values)
        self.program.set_places |= dict.fromkeys(value.sites, place)
        return replace(value, code="set")

    def changed(self, base: Value, values: list[Value]) -> None:
        """A method of a set that held nothing active so far is given these."""
        places = {self.program.set_places[s] for s in base.sites if s in self.program.set_places}
        if base.code == "set" and places and any(self.varied(v) for v in values):
            raise ActiveSet(places)

    def method(self, base: Value, word: str, node: gast.Call) -> gast.expr | None:
        """What a method of a list in place of a set means."""
        owner = node.func.value  # type: ignore[attr-defined]
        if word in CHANGES and len(node.args) == 1:
            return gast.Call(self.given(CHANGES[word]), [owner, *node.args], [])
        if word in MADE and len(node.args) == 1:
            return standing(gast.Call(self.given(MADE[word]), [owner, *node.args], []), base.code)
        if word == "copy":
            return standing(gast.Call(self.given(set_texts.made), [owner], []), base.code)
        if word != "clear":
            self.refuse(
                node,
                "set",
                f"cannot follow `{word}` of a set of active values",
                "A list stands for the set, and this depends on its order, or on another set's.",
                "keep the values in a list or a dict",
            )
        return None

    def operator(self, node: Any, op: gast.operator, left: Value, right: Value, sides: Any, env: Env) -> Value | None:
        """a | b, and a |= b, where one of them is such a set."""
        if not (is_set(left) or is_set(right)) or type(op) not in OPERATORS:
            return None
        if isinstance(node, gast.AugAssign) and isinstance(op, gast.BitOr) and is_set(left):
            held = self.fresh("held")
            run = [gast.NamedExpr(name(held, store=True), sides[0])]
            run.append(gast.Call(self.given(set_texts.updated), [name(held), sides[1]], []))  # type: ignore[arg-type]
            return self.meant(node, lambda: self.interpreter.stand_ins.let_first(run, name(held)), env, "set")
        if isinstance(node, gast.AugAssign):
            self._refuse(node, "augmented assignment")
            return NONE
        made = gast.Call(self.given(OPERATORS[type(op)]), list(sides), [])
        return self.meant(node, lambda: standing(made, StandIn(set)), env, "set")

    def compared(self, node: gast.Compare, values: list[Value]) -> None:
        """s == t, s <= t: as lists they would be told apart by their order."""
        ordered = [op for op in node.ops if not isinstance(op, (gast.In, gast.NotIn, gast.Is, gast.IsNot))]
        if ordered and any(is_set(v) for v in values):
            self._refuse(node, "comparison")

    def _refuse(self, node: gast.AST, what: str) -> None:
        self.refuse(
            node,
            "set",
            f"cannot follow this {what} of sets of active values",
            "A list stands for the set, of which this means something else.",
            "keep the values in a list or a dict",
        )

    def in_order(self, value: Value) -> Any:
        """The function that brings the elements into the order of a set."""
        return set_texts.in_order if is_set(value) and self.code.name != "in_order" else None


def is_set(value: Value) -> bool:
    return stands_for(value, set, frozenset)
