"""The function at hand, as every part of the flattener sees it."""

from typing import TYPE_CHECKING

import gast

from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.values import ONCE, Value
from pullback.compiler.ir.template import name

if TYPE_CHECKING:
    from pullback.compiler.normalise.flatten import Flattener


class Context:
    """A specialised function, and what is known of the nodes of its text."""

    def __init__(self, program: Program, spec: Spec) -> None:
        self.program = program
        self.spec = spec
        self.facts = spec.facts
        self.names = spec.code.names

    def type_of(self, node: gast.AST) -> Value:
        return self.facts.types.get(node, Value("opaque"))

    def active(self, node: gast.AST) -> bool:
        """Does the value at the node depend on an active input?"""
        return node in self.facts.types and self.program.is_varied(self.facts.types[node])

    def active_call(self, node: gast.AST) -> bool:
        """Is this a call of a user function that derivatives pass through?"""
        fact = self.facts.calls.get(node)
        if fact is None:
            return False
        return is_active(self.program, fact.callee)

    def is_field(self, node: gast.Attribute) -> bool:
        """Is this an active field of an object or a named tuple?"""
        return self.active(node) and self.type_of(node.value).kind in ("object", "tuple")

    def is_place(self, node: gast.AST) -> bool:
        """Is it a chain of items and fields of a variable? (m.T is a view, not a part.)"""
        while isinstance(node, (gast.Subscript, gast.Attribute)):
            if isinstance(node, gast.Attribute) and self.type_of(node.value).numeric or node in self.facts.meanings:
                return False
            node = node.value
        return isinstance(node, gast.Name)

    def runs_once(self, node: gast.expr) -> bool:
        """Is something inert, that is run as it is, an iterator, or an object that makes one?"""
        value = self.type_of(node)
        return not self.active(node) and (value.code == ONCE or value.kind == "object" or node in self.facts.meanings)

    def binds_itself(self, value: gast.expr, variable: str) -> bool:
        """s = h(), where h binds s anew: the result comes after that."""
        return value in self.facts.calls and variable in self.facts.calls[value].callee.code.nonlocals

    def variable_for(self, held: str, node: gast.expr) -> gast.Name:
        """A variable that takes the place of an expression, with its type."""
        new = name(held)
        self.facts.types[new] = self.type_of(node)
        return new


class Part(Context):
    """What deals with one kind of construct: `flattener` is the way to the others."""

    def __init__(self, flattener: "Flattener") -> None:
        super().__init__(flattener.program, flattener.spec)
        self.flattener = flattener


def is_active(program: Program, spec: Spec, seen: tuple[Spec, ...] = ()) -> bool:
    """Do derivatives pass through a specialised function: into it, out of it or through its captures?

    One that such a function calls, and that neither is at the top of a module nor defined in its text, counts too:
    there it is not known by name.
    """
    flows_in = any(program.is_varied(v) for v in spec.parameters.values())
    result = spec.result is not None and program.is_varied(spec.result)
    if flows_in or result:
        return True
    return any(c not in seen and c is not spec and is_active(program, c, (*seen, spec)) for c in spec.callers)


def followed(program: Program, entry: Spec) -> list[Spec]:
    """The entry function and every active function that it reaches, each before those that it calls."""
    found: list[Spec] = []

    def visit(spec: Spec) -> None:
        if spec in found:
            return
        found.append(spec)
        for fact in spec.facts.calls.values():
            if is_active(program, fact.callee):
                visit(fact.callee)

    visit(entry)
    return found
