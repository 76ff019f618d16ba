"""Prints expressions: operators in as few parentheses as will do, and where long ones may break."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import gast
from astunparse import Unparser

from pullback.compiler.emit import literals
from pullback.compiler.emit.precedence import BINARY, BOOLEAN, COMPARISON, UNARY, Level, level_of
from pullback.compiler.emit.wrap import Break, Group, IfBroken, Part, Style

MANY = 6  # so many names are not worth a line each
SHORT = 16  # brackets of so few columns, such as `(x, y)`, are not worth breaking
QUOTES = ('"', "'", '"""', "'''")

OPERATORS = (gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Compare, gast.IfExp, gast.Lambda)
DISPLAYS = (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.SetComp, gast.DictComp)


def expression_text(
    tree: gast.AST, quotes: Sequence[str] = (), level: Level = Level.TEST
) -> str:
    """An expression on one line: `x * -y`."""
    printer = ExpressionPrinter(quotes)
    printer.dispatch(tree, level)
    return Group(tuple(printer.parts)).flat


class ExpressionPrinter(Unparser):
    """Gathers the parts of one logical line; `_Name` prints a `Name`, and so on."""

    def __init__(self, quotes: Sequence[str] = ()) -> None:
        self.parts: list[Part] = []
        self.quotes = quotes  # inside an f-string: those that are left

    def dispatch(self, tree: gast.AST, level: Level = Level.TEST) -> None:
        """Print one node, in parentheses if it binds more loosely than its place asks for."""
        if level_of(tree) < level:
            with self.brackets("(", ")"):
                super().dispatch(tree)
        else:
            super().dispatch(tree)

    def write(self, part: Part) -> None:
        self.parts.append(part)

    @contextmanager
    def group(self, indent: int = 0, style: Style = "fit") -> Iterator[None]:
        outer, self.parts = self.parts, []
        yield
        outer.append(Group(tuple(self.parts), indent, style))
        self.parts = outer

    @contextmanager
    def brackets(
        self, left: str, right: str, optional: bool = False, style: Style = "fit"
    ) -> Iterator[None]:
        """Brackets around what is printed within; optional ones appear only where it is broken."""
        with self.group():
            self.write(IfBroken(left) if optional else left)
            self.write(Break(depth=1))
            with self.group(1, style):
                yield
            self.write(Break())
            self.write(IfBroken(right) if optional else right)
        group = self.parts[-1]
        if isinstance(group, Group) and not optional and len(group.flat) <= SHORT:
            self.parts[-1] = group.flat

    def items(self, elements: Iterable[Callable[[], None]], last_comma: bool = True) -> None:
        """`a, b, c`, with a comma after the last where each stands on a line of its own."""
        for i, element in enumerate(elements):
            if i:
                self.write(",")
                self.write(Break(" "))
            element()
        if last_comma:
            self.write(IfBroken(","))

    def each(self, elements: Iterable[gast.AST]) -> list[Callable[[], None]]:
        return [partial(self.dispatch, e) for e in elements]

    def listed(self, left: str, elements: Sequence[gast.AST], right: str) -> None:
        if len(elements) == 1 and isinstance(elements[0], (*DISPLAYS, gast.Tuple)):
            self.write(left)  # the brackets within are enough to break at
            self.dispatch(elements[0])
            return self.write(right)
        if not elements:
            return self.write(left + right)
        style = _style(elements)
        with self.brackets(left, right, style=style):
            self.items(self.each(elements), last_comma=style != "filled")

    def value(self, tree: gast.AST, bare: bool = False) -> None:
        """An expression that has its statement to itself: in brackets only if it must be broken."""
        if bare and isinstance(tree, gast.Tuple) and len(tree.elts) > 1:
            style = _style(tree.elts)
            with self.brackets("(", ")", optional=True, style=style):
                self.items(self.each(tree.elts), last_comma=style != "filled")
        elif isinstance(tree, OPERATORS):
            with self.brackets("(", ")", optional=True):
                self.dispatch(tree)
        else:
            self.dispatch(tree)

    # Operators

    def operand(self, tree: gast.AST, level: Level) -> None:
        """An operand; if it is an operator without parentheses, its lines stand further in."""
        if isinstance(tree, OPERATORS) and level_of(tree) >= level:
            with self.group(1):
                self.dispatch(tree, level)
        else:
            self.dispatch(tree, level)

    def chain(self, *operands: tuple[str, gast.AST, Level]) -> None:
        """`a + b - c`, to be broken before each operator."""
        with self.group():
            for symbol, tree, level in operands:
                if symbol:
                    self.write(Break(" "))
                    self.write(symbol + " ")
                self.operand(tree, level)

    def _BinOp(self, t: gast.BinOp) -> None:
        symbol, level = BINARY[type(t.op)]
        if level is Level.POWER:
            self.dispatch(t.left, level.tighter)
            self.write(f" {symbol} ")
            return self.dispatch(t.right, Level.SIGN)
        rest = []
        while isinstance(t, gast.BinOp) and level_of(t) is level:
            rest.append((BINARY[type(t.op)][0], t.right, level.tighter))
            t = t.left
        self.chain(("", t, level), *reversed(rest))

    def _UnaryOp(self, t: gast.UnaryOp) -> None:
        symbol, level = UNARY[type(t.op)]
        self.write(symbol)
        self.dispatch(t.operand, level)

    def _BoolOp(self, t: gast.BoolOp) -> None:
        symbol, level = BOOLEAN[type(t.op)]
        self.chain(*((symbol if i else "", v, level.tighter) for i, v in enumerate(t.values)))

    def _Compare(self, t: gast.Compare) -> None:
        symbols = ["", *(COMPARISON[type(op)] for op in t.ops)]
        operands = [t.left, *t.comparators]
        self.chain(*((s, tree, Level.BIT_OR) for s, tree in zip(symbols, operands)))

    def _IfExp(self, t: gast.IfExp) -> None:
        operands = [("", t.body, Level.OR)]
        while isinstance(t, gast.IfExp):
            operands += [("if", t.test, Level.OR), ("else", t.orelse, Level.TEST)]
            t = t.orelse
            if isinstance(t, gast.IfExp):
                operands[-1] = ("else", t.body, Level.OR)
        self.chain(*operands)

    def _NamedExpr(self, t: gast.NamedExpr) -> None:
        self.dispatch(t.target)
        self.write(" := ")
        self.dispatch(t.value)

    def _Lambda(self, t: gast.Lambda) -> None:
        self.write("lambda")
        for i, parameter in enumerate(self.parameters(t.args)):
            self.write(", " if i else " ")
            parameter()
        self.write(": ")
        self.dispatch(t.body)

    def _Await(self, t: gast.Await) -> None:
        self.write("await ")
        self.dispatch(t.value, Level.ATOM)

    def _Yield(self, t: gast.Yield) -> None:
        self.write("yield")
        if t.value is not None:
            self.write(" ")
            self.value(t.value, bare=True)

    def _YieldFrom(self, t: gast.YieldFrom) -> None:
        self.write("yield from ")
        self.value(t.value)

    # What follows an atom

    def _Attribute(self, t: gast.Attribute) -> None:
        # `1.real` would read as the number `1.` and a name.
        integer = isinstance(t.value, gast.Constant) and type(t.value.value) is int
        self.write("(" if integer else "")
        self.dispatch(t.value, Level.ATOM)
        self.write((")." if integer else ".") + t.attr)

    def _Call(self, t: gast.Call) -> None:
        self.dispatch(t.func, Level.ATOM)
        if len(t.args) == 1 and not t.keywords and isinstance(t.args[0], gast.GeneratorExp):
            return self.dispatch(t.args[0])
        self.listed("(", [*t.args, *t.keywords], ")")

    def _keyword(self, t: gast.keyword) -> None:
        self.write("**" if t.arg is None else t.arg + "=")
        self.dispatch(t.value)

    def _Starred(self, t: gast.Starred) -> None:
        self.write("*")
        self.dispatch(t.value, Level.BIT_OR)

    def _Subscript(self, t: gast.Subscript) -> None:
        self.dispatch(t.value, Level.ATOM)
        with self.brackets("[", "]"):
            if isinstance(t.slice, gast.Tuple) and t.slice.elts:
                alone = len(t.slice.elts) == 1
                self.items(self.each(t.slice.elts), last_comma=not alone)
                self.write("," if alone else "")
            else:
                self.dispatch(t.slice)

    def _Slice(self, t: gast.Slice) -> None:
        # Around `:`, as around any operator that binds more loosely than its operands.
        wide = isinstance(t.lower, gast.BinOp) and t.upper or isinstance(t.upper, gast.BinOp)
        colon = " : " if wide and t.lower else ":"
        if t.lower is not None:
            self.dispatch(t.lower)
        self.write(colon)
        if t.upper is not None:
            self.dispatch(t.upper)
        if t.step is not None:
            self.write(colon)
            self.dispatch(t.step)

    # Displays

    def _List(self, t: gast.List) -> None:
        self.listed("[", t.elts, "]")

    def _Tuple(self, t: gast.Tuple) -> None:
        if len(t.elts) != 1:
            return self.listed("(", t.elts, ")")
        with self.brackets("(", ")"):
            self.dispatch(t.elts[0])
            self.write(",")

    def _Set(self, t: gast.Set) -> None:
        self.write("{*()}") if not t.elts else self.listed("{", t.elts, "}")

    def _Dict(self, t: gast.Dict) -> None:
        def entry(key: gast.AST | None, value: gast.AST) -> None:
            if key is None:
                self.write("**")
                return self.dispatch(value, Level.BIT_OR)
            self.dispatch(key)
            self.write(": ")
            self.dispatch(value)

        if not t.keys:
            return self.write("{}")
        with self.brackets("{", "}"):
            self.items([partial(entry, k, v) for k, v in zip(t.keys, t.values)])

    def _ListComp(self, t: gast.ListComp) -> None:
        self.comprehended("[", t, "]")

    def _SetComp(self, t: gast.SetComp) -> None:
        self.comprehended("{", t, "}")

    def _GeneratorExp(self, t: gast.GeneratorExp) -> None:
        self.comprehended("(", t, ")")

    def _DictComp(self, t: gast.DictComp) -> None:
        self.comprehended("{", t, "}")

    def comprehended(self, left: str, t: gast.AST, right: str) -> None:
        """`[f(x) for x in y if x]`, to be broken before each `for` and `if`."""
        with self.brackets(left, right):
            if isinstance(t, gast.DictComp):
                self.dispatch(t.key)
                self.write(": ")
            self.dispatch(t.value if isinstance(t, gast.DictComp) else t.elt)
            for generator in t.generators:
                self.dispatch(generator)

    def _comprehension(self, t: gast.comprehension) -> None:
        self.write(Break(" "))
        self.write("async for " if t.is_async else "for ")
        self.value(t.target, bare=True)
        self.write(" in ")
        self.dispatch(t.iter, Level.OR)
        for condition in t.ifs:
            self.write(Break(" "))
            self.write("if ")
            self.dispatch(condition, Level.OR)

    # Parameters

    def parameters(self, t: gast.arguments) -> Iterator[Callable[[], None]]:
        """What stands between the commas of `x, /, y=1, *rest, k: int = 2, **options`."""
        positional = [*t.posonlyargs, *t.args]
        defaults = [None] * (len(positional) - len(t.defaults)) + t.defaults
        for i, (parameter, default) in enumerate(zip(positional, defaults)):
            yield partial(self.parameter, parameter, default)
            if i + 1 == len(t.posonlyargs):
                yield partial(self.write, "/")
        if t.vararg is not None:
            yield partial(self.parameter, t.vararg, None, "*")
        elif t.kwonlyargs:
            yield partial(self.write, "*")
        for parameter, default in zip(t.kwonlyargs, t.kw_defaults):
            yield partial(self.parameter, parameter, default)
        if t.kwarg is not None:
            yield partial(self.parameter, t.kwarg, None, "**")

    def parameter(self, t: gast.Name, default: gast.AST | None, stars: str = "") -> None:
        self.write(stars + t.id)
        if t.annotation is not None:
            self.write(": ")
            self.dispatch(t.annotation)
        if default is not None:
            self.write("=" if t.annotation is None else " = ")
            self.dispatch(default)

    # Constants

    def _Constant(self, t: gast.Constant) -> None:
        if self.quotes and isinstance(t.value, str | bytes):
            return self.write(self.quoted(t.value))
        self.write("u" if t.kind == "u" else "")
        self.write(literals.constant(t.value))

    def quoted(self, value: str | bytes) -> str:
        """A string inside an f-string: Python 3.11 allows neither its quotes nor a backslash."""
        prefix = "b" if isinstance(value, bytes) else ""
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        for delimiter in self.quotes if text.isascii() or not prefix else ():
            if (body := literals.unescaped(text, delimiter)) is not None:
                return prefix + body
        raise _Unquotable

    def _JoinedStr(self, t: gast.JoinedStr) -> None:
        for delimiter in sorted(self.quotes or QUOTES, key=lambda q: _escapes(t, q)):
            try:
                text = f"f{delimiter}{self.formatted(t, delimiter)}{delimiter}"
            except _Unquotable:
                continue
            if not (self.quotes and "\\" in text):
                return self.write(text)
        if self.quotes:
            raise _Unquotable
        # From Python 3.12 on, strings inside may be written as they are outside.
        self.write(f'f"{self.formatted(t, None)}"')

    def _FormattedValue(self, t: gast.FormattedValue) -> None:
        self._JoinedStr(gast.JoinedStr([t]))

    def formatted(self, t: gast.JoinedStr, delimiter: str | None) -> str:
        """What stands between the quotes of an f-string: `{x:.3f} of {y!r}`."""
        return "".join(
            self.field(v, delimiter)
            if isinstance(v, gast.FormattedValue)
            else literals.between(v.value, delimiter or '"')
            for v in t.values
        )

    def field(self, t: gast.FormattedValue, delimiter: str | None) -> str:
        quotes = [q for q in self.quotes or QUOTES if delimiter and delimiter not in q]
        text = expression_text(t.value, quotes, Level.OR)
        if delimiter and (delimiter in text or "\\" in text):
            raise _Unquotable
        conversion = "" if t.conversion == -1 else f"!{chr(t.conversion)}"
        spec = "" if t.format_spec is None else ":" + self.formatted(t.format_spec, delimiter)
        return f"{{{' ' if text.startswith('{') else ''}{text}{conversion}{spec}}}"


class _Unquotable(Exception):
    """No quotes are left for a string inside an f-string."""


def _escapes(t: gast.JoinedStr, delimiter: str) -> int:
    literal = "".join(v.value for v in t.values if isinstance(v, gast.Constant))
    return literal.count(delimiter[0])


def _style(elements: Sequence[gast.AST]) -> Style:
    """Numbers, and a long row of names, fill their lines."""
    if all(_is_number(e) for e in elements) or (len(elements) > MANY and all(isinstance(e, gast.Name) for e in elements)):
        return "filled"
    return "rows" if all(isinstance(e, (*DISPLAYS, gast.Tuple)) for e in elements) else "fit"


def _is_number(tree: gast.AST) -> bool:
    if isinstance(tree, gast.UnaryOp):
        tree = tree.operand
    return isinstance(tree, gast.Constant) and isinstance(tree.value, int | float | complex)
