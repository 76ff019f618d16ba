"""Values that a tangent reads: each is computed once, and under a name where it is read twice."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import gast

from pullback.compiler.adjoint.expressions import Expressions
from pullback.compiler.adjoint.operands import constant_shape
from pullback.compiler.adjoint.planner import Planner
from pullback.compiler.analysis.effects import acts, repeatable
from pullback.compiler.analysis.program import CallFact, Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import Value
from pullback.compiler.frontend.reserved import BUILTINS, MODULES
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, call, clone, name
from pullback.compiler.ir.walk import own_nodes, reads
from pullback.runtime import RUNTIME_NAMES

# names that generated text means something by
RESERVED = {*RUNTIME_NAMES, *MODULES, *BUILTINS, "float", "int", "tuple", "dict", "zip", "isinstance", "type", "enumerate"}


class Values(Expressions):
    """The values in the expressions of one statement at a time.

    `before` collects the statements that have to run first, `kept` the names of the values that they compute.
    """

    def __init__(self, program: Program, spec: Spec, shadows: Shadows, guards: str,
                 inner_call: Callable[[gast.Call, CallFact], gast.expr | None]) -> None:
        super().__init__(program, spec, shadows, guards, None)
        self.inner_call = inner_call
        self.names.taken |= RESERVED
        self.planner = Planner(program, spec, shadows, guards, {})
        self.partners: dict[str, str] = {}  # tangent variable → variable
        self.begin(None)

    def begin(self, statement: gast.stmt | None, whole: gast.expr | None = None, target: str | None = None) -> None:
        """A new statement; `target` is the variable that the value of `whole` goes to."""
        self.statement = statement
        self.planner.statement = statement
        self.whole, self.target = whole, target
        self.before: list[gast.stmt] = []
        self.kept: dict[gast.AST, gast.expr] = {}
        self._named_texts: dict[str, str] = {}
        self._made: Any = None
        self._target_free = False
        self._read_by_dots: set[str] = set()  # by the tangents of the operands of `whole`
        self._only_match = False
        self._matched: Any = None

    def dot_name(self, variable: str) -> str:
        """The tangent variable of a variable."""
        dot = self.names.partner(variable, "dot")
        self.partners[dot] = variable
        return dot

    def env(self) -> dict[str, Value]:
        """The types of the variables at the present statement."""
        before = self.spec.facts.before.get(self.statement, {}) if self.statement is not None else {}
        return {**self.spec.parameters, **before}

    # -- values -------------------------------------------------------------------------------

    def value(self, node: gast.expr) -> gast.expr:
        """The text of an expression, with the names that parts of it were given."""
        return rebuilt(node, self.kept)

    def keep(self, node: gast.expr) -> gast.expr:
        """Compute an expression now, under a name of its own."""
        if node not in self.kept:
            text = self.value(node)
            shared = repeatable(self.program, self.spec.facts, node)
            spelled = gast.dump(text)
            held = self._named_texts.get(spelled) if shared else None
            if held is None:
                held = self.names.fresh(described(node))
                self.before.append(assign(held, text))
            if shared:
                self._named_texts[spelled] = held
            self.kept[node] = name(held)
        return clone(self.kept[node])

    def operand(self, node: gast.expr) -> gast.expr:
        """The value of an operand, for a tangent to read."""
        if node in self.kept or (self.cheap(node) and not self.impure(node)) or isinstance(node, gast.Lambda):
            return self.value(node)
        if isinstance(node, (gast.Tuple, gast.List)):
            kind = type(node)
            return kind([self.operand(e) for e in node.elts], gast.Load())
        if isinstance(node, gast.Starred):
            return gast.Starred(self.operand(node.value), gast.Load())
        return self.keep(node)

    def shape(self, node: gast.expr) -> gast.expr:
        dims = self.type_of(node).shape
        if dims is not None and all(isinstance(d, int) for d in dims):
            return constant_shape(dims)
        return call("np.shape", self.operand(node))

    def result(self, node: gast.expr, only: bool = False) -> gast.expr:
        """The value of the operation itself; a statement's own one is assigned first where nothing reads the old."""
        if node not in self.kept and node is self.whole and self.target is not None:
            text = self.value(node)
            if self.target not in reads(text) | self._read_by_dots or (only and self._target_free):
                self.before.append(assign(self.target, text))
                self.kept[node] = name(self.target)
        return self.keep(node)

    def settle(self, node: gast.AST) -> None:
        """What is inert and may have effects is evaluated once, here."""
        if isinstance(node, (gast.Slice, gast.Starred, gast.keyword)) or (
                isinstance(node, gast.Tuple) and any(isinstance(e, (gast.Slice, gast.Starred)) for e in node.elts)):
            for child in gast.iter_child_nodes(node):
                self.settle(child)
        elif isinstance(node, gast.expr) and not isinstance(node, gast.Lambda) and self.impure(node):
            self.keep(node)

    def impure(self, node: gast.AST) -> bool:
        return any(isinstance(n, gast.Call) and n not in self.kept and acts(self.spec.facts, n) for n in own_nodes(node))

    def settle_index(self, index: gast.expr) -> None:
        """An index that is read twice is computed once."""
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        for part in parts:
            for bound in [part.lower, part.upper, part.step] if isinstance(part, gast.Slice) else [part]:
                if bound is not None and not is_plain(bound) and (not self.cheap(bound) or self.impure(bound)):
                    self.keep(bound)


def is_plain(node: gast.expr) -> bool:
    """A literal list of numbers may be written twice."""
    return isinstance(node, (gast.List, gast.Tuple)) and all(isinstance(e, gast.Constant) or is_plain(e) for e in node.elts)


def rebuilt(node: Any, kept: Mapping[gast.AST, gast.expr] = MappingProxyType({})) -> Any:
    """A copy of a tree in which kept parts stand under their names."""
    if isinstance(node, gast.AST):
        if node in kept:
            return clone(kept[node])
        new = node.__class__.__new__(node.__class__)
        for key, child in node.__dict__.items():
            setattr(new, key, rebuilt(child, kept) if isinstance(child, (gast.AST, list)) and key != "origin" else child)
        return new
    if isinstance(node, list):
        return [rebuilt(n, kept) for n in node]
    return node


__all__ = ["Value", "Values", "rebuilt"]
