"""How tightly each expression binds, loosest first, as in the table of the Python reference."""

from enum import IntEnum

import gast


class Level(IntEnum):
    """A node needs parentheses where its own level is below the level of its place."""

    YIELD = 0
    NAMED = 1
    TEST = 2  # x if c else y, lambda
    OR = 3
    AND = 4
    NOT = 5
    COMPARISON = 6
    BIT_OR = 7
    BIT_XOR = 8
    BIT_AND = 9
    SHIFT = 10
    SUM = 11
    PRODUCT = 12
    SIGN = 13
    POWER = 14
    AWAIT = 15
    ATOM = 16

    @property
    def tighter(self) -> "Level":
        """The next level: what the right operand of a left-associative operator needs."""
        return Level(self + 1)


BINARY = {
    gast.BitOr: ("|", Level.BIT_OR),
    gast.BitXor: ("^", Level.BIT_XOR),
    gast.BitAnd: ("&", Level.BIT_AND),
    gast.LShift: ("<<", Level.SHIFT),
    gast.RShift: (">>", Level.SHIFT),
    gast.Add: ("+", Level.SUM),
    gast.Sub: ("-", Level.SUM),
    gast.Mult: ("*", Level.PRODUCT),
    gast.MatMult: ("@", Level.PRODUCT),
    gast.Div: ("/", Level.PRODUCT),
    gast.FloorDiv: ("//", Level.PRODUCT),
    gast.Mod: ("%", Level.PRODUCT),
    gast.Pow: ("**", Level.POWER),
}

UNARY = {
    gast.Not: ("not ", Level.NOT),
    gast.UAdd: ("+", Level.SIGN),
    gast.USub: ("-", Level.SIGN),
    gast.Invert: ("~", Level.SIGN),
}

BOOLEAN = {gast.Or: ("or", Level.OR), gast.And: ("and", Level.AND)}

COMPARISON = {
    gast.Eq: "==",
    gast.NotEq: "!=",
    gast.Lt: "<",
    gast.LtE: "<=",
    gast.Gt: ">",
    gast.GtE: ">=",
    gast.Is: "is",
    gast.IsNot: "is not",
    gast.In: "in",
    gast.NotIn: "not in",
}

_OTHERS = {
    gast.Yield: Level.YIELD,
    gast.YieldFrom: Level.YIELD,
    gast.NamedExpr: Level.NAMED,
    gast.Lambda: Level.TEST,
    gast.IfExp: Level.TEST,
    gast.Compare: Level.COMPARISON,
    gast.Await: Level.AWAIT,
}


def level_of(node: gast.AST) -> Level:
    """x * y → PRODUCT; -x → SIGN; f(x), x[i], x → ATOM."""
    if isinstance(node, gast.BinOp):
        return BINARY[type(node.op)][1]
    if isinstance(node, gast.UnaryOp):
        return UNARY[type(node.op)][1]
    if isinstance(node, gast.BoolOp):
        return BOOLEAN[type(node.op)][1]
    if isinstance(node, gast.Constant) and _is_negative(node.value):
        return Level.SIGN
    return _OTHERS.get(type(node), Level.ATOM)


def _is_negative(value: object) -> bool:
    return isinstance(value, int | float) and repr(value).startswith("-")
