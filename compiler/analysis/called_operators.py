"""Functions of `operator` and methods that operators stand for, when called by name: the expressions they are.

operator.setitem(a, i, x)   →   a[i] = x
operator.iadd(a, x)         →   held = a; held += x; held
a.__setitem__(i, x)         →   a[i] = x
"""

import operator
from typing import Any

import gast

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import constant, name

BINARY: dict[str, type] = {
    "add": gast.Add,
    "sub": gast.Sub,
    "mul": gast.Mult,
    "truediv": gast.Div,
    "floordiv": gast.FloorDiv,
    "mod": gast.Mod,
    "pow": gast.Pow,
    "matmul": gast.MatMult,
}
NAMED = {"getitem": 2, "setitem": 3, **{f"i{word}": 2 for word in BINARY}}  # with the number of arguments
CALLED = {getattr(operator, word): word for word in NAMED}


class CalledOperators(Part):
    """What such calls mean."""

    def meaning_of_operator_call(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        try:
            word = CALLED.get(thing)
        except TypeError:
            return None
        if word is None or len(node.args) != NAMED[word] or any(isinstance(a, gast.Starred) for a in node.args):
            return None
        return self.meant(node, lambda: self.spelled(word, list(node.args)), env, word)

    def meaning_of_special_method(self, word: str, node: gast.Call, env: Env) -> Value | None:
        """a.__iadd__(x) of an array."""
        assert isinstance(node.func, gast.Attribute)
        plain = word[2:-2] if word.startswith("__") and word.endswith("__") else ""
        operands = [node.func.value, *node.args]
        if plain in NAMED and len(operands) == NAMED[plain]:
            return self.meant(node, lambda: self.spelled(plain, operands), env)
        reverse = plain.startswith("r") and plain[1:] in BINARY
        if len(operands) == 2 and (plain in BINARY or reverse):
            sides = operands[::-1] if reverse else operands
            return self.meant(node, lambda: gast.BinOp(sides[0], BINARY[plain[reverse:]](), sides[1]), env)
        return None

    def spelled(self, word: str, operands: list[gast.expr]) -> gast.expr:
        """The expression that such a function is."""
        if word == "getitem":
            return gast.Subscript(operands[0], operands[1], gast.Load())
        if word == "setitem":
            place = gast.Subscript(operands[0], operands[1], gast.Store())
            return Let([gast.Assign([place], operands[2], None)], constant(None))
        held = self.fresh("held")
        first = gast.NamedExpr(name(held, store=True), operands[0])
        change = gast.AugAssign(name(held, store=True), BINARY[word[1:]](), operands[1])
        change.in_place = True  # what `held` names is the caller's
        return Let([first, change], name(held))
