"""Expressions that evaluate only some of their operands become branches.

y = a if c else b    →   if c: chosen = a
                         else: chosen = b
                         y = chosen
"""

import gast

from pullback.compiler.ir.template import assign, clone, name
from pullback.compiler.normalise.context import Part


class Choices(Part):
    """The part of the flattener that deals with conditional expressions, `and`, `or` and chained comparisons."""

    def lowered_test(self, test: gast.expr, out: list[gast.stmt]) -> gast.expr:
        """A condition: only what must become a statement leaves it."""
        if not self.flattener.must_move(test):
            return test
        if isinstance(test, gast.BoolOp) and any(self.flattener.must_move(v) for v in test.values[1:]):
            return self.short_circuit(test, out, self.names.fresh("condition"))
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not) and test not in self.flattener.apart:
            return gast.UnaryOp(gast.Not(), self.lowered_test(test.operand, out))
        return self.flattener.lowered(test, out)

    def truth(self, test: gast.expr) -> gast.expr:
        """A test as a value: of an object its truth, which is asked for once."""
        if self.type_of(test).kind != "object":
            return test
        return gast.UnaryOp(gast.Not(), gast.UnaryOp(gast.Not(), test))

    def asked_once(self, test: gast.expr, at: gast.AST, out: list[gast.stmt]) -> gast.Name:
        """A variable for the outcome of a test that changes something."""
        taken = self.names.fresh("taken")
        out.append(gast.copy_location(assign(taken, self.truth(test)), at))
        return self.variable_for(taken, test)

    def conditional(self, node: gast.IfExp, out: list[gast.stmt]) -> gast.expr:
        held = self.names.fresh("chosen")
        test = self.lowered_test(node.test, out)
        if node in self.facts.writes:
            test = self.asked_once(test, node, out)
        arms = []
        for arm in (node.body, node.orelse):
            inner: list[gast.stmt] = []
            value = self.flattener.lowered(arm, inner)
            arms.append([*inner, assign(held, value)])
        branch = gast.copy_location(gast.If(test, *arms), node)
        for arm_statements in arms:
            for statement in arm_statements:
                gast.copy_location(statement, node)
        out.append(branch)
        return name(held)

    def chain(self, node: gast.Compare, out: list[gast.stmt]) -> gast.expr:
        """a < b < f() → held = a < b; if held: held = b < f()."""
        held = self.names.fresh("condition")
        left: gast.expr = self.flattener.named(node.left, out)
        block = out
        for i, (op, comparator) in enumerate(zip(node.ops, node.comparators)):
            inner = block if i == 0 else []
            right = self.flattener.named(comparator, inner)
            inner.append(assign(held, gast.Compare(clone(left), [op], [right])))
            if i > 0:
                for statement in inner:
                    gast.copy_location(statement, node)
                block.append(gast.copy_location(gast.If(name(held), inner, []), node))
            left, block = right, inner
        return name(held)

    def short_circuit(self, node: gast.BoolOp, out: list[gast.stmt], held: str) -> gast.expr:
        """a and b → held = a; if held: held = b."""
        out.append(assign(held, self.flattener.lowered(node.values[0], out)))
        block = out
        for value in node.values[1:]:
            test: gast.expr = name(held)
            if isinstance(node.op, gast.Or):
                test = gast.UnaryOp(gast.Not(), test)
            inner: list[gast.stmt] = []
            inner.append(assign(held, self.flattener.lowered(value, inner)))
            for statement in inner:
                gast.copy_location(statement, node)
            block.append(gast.copy_location(gast.If(test, inner, []), node))
            block = inner
        return name(held)
