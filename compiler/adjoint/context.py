"""The function at hand, as every part of the planner sees it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.adjoint.expressions import Expressions
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import CONTAINERS, Value
from pullback.compiler.ir.walk import every_node

if TYPE_CHECKING:
    from pullback.compiler.adjoint.planner import Planner


class Context:
    """A specialised function, what is known of the nodes of its text, and how bars go through its expressions.

    `hold` is told of every subexpression whose value an adjoint reads and that is worth a variable.
    """

    def __init__(
        self,
        program: Program,
        spec: Spec,
        shadows: Shadows,
        expressions: Expressions,
        hold: Callable[[gast.expr], None] | None,
    ) -> None:
        self.program = program
        self.spec = spec
        self.shadows = shadows
        self.facts = spec.facts
        self.names = spec.code.names
        self.expressions = expressions
        self.hold = hold

    def type_of(self, node: gast.AST) -> Value:
        return self.facts.types.get(node, Value("opaque"))

    def varied(self, node: gast.AST) -> bool:
        return node in self.facts.types and self.program.is_varied(self.facts.types[node])

    def refuse(self, node: gast.AST, problem: str, cause: str = "", advice: str = "") -> None:
        self.program.refuse(self.spec.code, node, "adjoint", problem, cause, advice)

    def shadow_of(self, s: gast.stmt, variable: str) -> str:
        """The name of the shadow that a variable has after a statement."""
        return self.expressions.bar_of(variable, self.after(s, variable))

    def after(self, statement: gast.stmt, variable: str) -> Value:
        return self.facts.after.get(statement, {}).get(variable, Value("opaque"))

    def copy_types(self, old: gast.AST, new: gast.AST) -> None:
        for a, b in zip(every_node(old), every_node(new)):
            if a in self.facts.types:
                self.facts.types[b] = self.facts.types[a]

    def type_of_place(self, place: gast.expr) -> Value:
        return self.type_of(getattr(place, "fact_of", place))

    def lies_mirrored(self, place: Any) -> bool:
        """Have all containers that a place lies in a shadow?"""
        while isinstance(place, (gast.Subscript, gast.Attribute)):
            place = place.value
            if self.type_of(place).kind in CONTAINERS and not self.shadows.has(self.type_of(place)):
                return False
        return True

    def has_one_leaf(self, value: gast.expr) -> bool:
        return self.expressions.leaf_count(value) == 1


class Part(Context):
    """What deals with one kind of statement: `planner` is the way to the others."""

    def __init__(self, planner: "Planner") -> None:
        super().__init__(planner.program, planner.spec, planner.shadows, planner.expressions, planner.hold)
        self.planner = planner
