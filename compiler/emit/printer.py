"""Prints gast as Python: few parentheses, real docstrings, comments, lines of at most 88 columns.

Trees go in as they are. Converting them to `ast` first would lose `Comment` and `Blank`.
"""

from collections.abc import Sequence

import gast

from pullback.compiler.emit import literals
from pullback.compiler.emit.expressions import expression_text
from pullback.compiler.emit.patterns import PatternPrinter
from pullback.compiler.emit.precedence import BINARY, Level
from pullback.compiler.emit.wrap import STEP, wrapped
from pullback.compiler.ir.nodes import Attempt, Blank, Comment, Finally, as_try

WIDTH = 88
DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def printed(tree: gast.AST | Sequence[gast.AST], width: int = WIDTH) -> str:
    """The text of a module, statement or list of statements (ends in a newline), or expression.

    BinOp(Name("x"), Mult(), UnaryOp(USub(), Name("y")))  →  x * -y
    Return(Tuple([Name("a"), Name("b")]))                 →  return a, b
    """
    return _Printer(width).text(tree)


class _Printer(PatternPrinter):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.lines: list[str] = []
        self.column = 0
        self.blanks = 0
        self._indent = 0

    def text(self, tree: gast.AST | Sequence[gast.AST]) -> str:
        if isinstance(tree, gast.Module):
            self.suite(tree.body, documented=True)
        elif isinstance(tree, gast.stmt):
            self.suite([tree])
        elif isinstance(tree, gast.AST):
            return expression_text(tree.body if isinstance(tree, gast.Expression) else tree)
        else:
            self.suite(tree)
        self.finish()
        return "".join(line + "\n" for line in self.lines)

    # Lines and bodies

    def fill(self, text: str = "") -> None:
        """Begin a new line."""
        self.finish()
        self.lines += [""] * self.blanks
        self.blanks = 0
        self.column = STEP * self._indent
        self.write(text)

    def finish(self) -> None:
        if self.parts:
            self.lines.append(wrapped(self.parts, self.column, self.width))
            self.parts = []

    def block(self, body: Sequence[gast.AST], documented: bool = False) -> None:
        """`:` and the statements below it."""
        self.enter()
        self.suite(body, documented)
        if all(isinstance(s, Comment | Blank) for s in body):
            self.fill("pass")
        self.leave()

    def suite(self, body: Sequence[gast.AST], documented: bool = False) -> None:
        previous: gast.AST | None = None
        for i, statement in enumerate(body):
            if isinstance(statement, Blank):
                self.blanks = max(self.blanks, int(previous is not None))
                continue
            attached = isinstance(previous, Comment) and not self.blanks
            if previous is not None and not attached:
                if isinstance(previous, DEFINITIONS) or _leads_to_definition(body[i:]):
                    self.blanks = 1 if self._indent else 2
            if documented and _is_docstring(statement):
                self.docstring(statement.value.value)
            else:
                self.dispatch(statement)
            documented = documented and isinstance(statement, Comment)
            previous = statement

    def docstring(self, value: str) -> None:
        self.fill()
        self.parts = []
        self.lines.append(" " * self.column + literals.docstring(value))

    def _Comment(self, t: Comment) -> None:
        for line in t.text.split("\n"):
            self.fill(f"# {line}".rstrip())

    # Simple statements

    def assigned(self, value: gast.AST, bare: bool = False) -> None:
        """The right-hand side, where a `yield` needs no parentheses."""
        if isinstance(value, gast.Yield | gast.YieldFrom):
            self.dispatch(value, Level.YIELD)
        else:
            self.value(value, bare)

    def _Expr(self, t: gast.Expr) -> None:
        self.fill()
        self.assigned(t.value)

    def _Assign(self, t: gast.Assign) -> None:
        self.fill()
        for target in t.targets:
            self.value(target, bare=True)
            self.write(" = ")
        self.assigned(t.value, bare=any(isinstance(x, gast.Tuple) for x in t.targets))

    def _AugAssign(self, t: gast.AugAssign) -> None:
        self.fill()
        self.dispatch(t.target)
        self.write(f" {BINARY[type(t.op)][0]}= ")
        self.assigned(t.value)

    def _AnnAssign(self, t: gast.AnnAssign) -> None:
        self.fill()
        bracketed = isinstance(t.target, gast.Name) and not t.simple
        self.write("(" if bracketed else "")
        self.dispatch(t.target)
        self.write("): " if bracketed else ": ")
        self.value(t.annotation)
        if t.value is not None:
            self.write(" = ")
            self.assigned(t.value)

    def _Return(self, t: gast.Return) -> None:
        self.fill("return")
        if t.value is not None:
            self.write(" ")
            self.value(t.value, bare=True)

    def _Delete(self, t: gast.Delete) -> None:
        self.fill("del ")
        for i, target in enumerate(t.targets):
            self.write(", " if i else "")
            self.dispatch(target)

    def _Assert(self, t: gast.Assert) -> None:
        self.fill("assert ")
        self.value(t.test)
        if t.msg is not None:
            self.write(", ")
            self.value(t.msg)

    def _Raise(self, t: gast.Raise) -> None:
        self.fill("raise")
        for word, value in ((" ", t.exc), (" from ", t.cause)):
            if value is not None:
                self.write(word)
                self.value(value)

    def _ImportFrom(self, t: gast.ImportFrom) -> None:
        self.fill(f"from {'.' * (t.level or 0)}{t.module or ''} import ")
        if t.names[0].name == "*":
            return self.write("*")
        with self.brackets("(", ")", optional=True):
            self.items(self.each(t.names))

    # Compound statements

    def condition(self, t: gast.AST) -> None:
        """`if n := len(x):` needs no parentheses where most places for `:=` do."""
        if isinstance(t, gast.NamedExpr):
            with self.brackets("(", ")", optional=True):
                self.dispatch(t, Level.NAMED)
        else:
            self.value(t)

    def _If(self, t: gast.If) -> None:
        self.fill("if ")
        self.condition(t.test)
        self.block(t.body)
        while len(t.orelse) == 1 and type(t.orelse[0]) is gast.If:
            t = t.orelse[0]
            self.fill("elif ")
            self.condition(t.test)
            self.block(t.body)
        self.otherwise("else", t.orelse)

    def otherwise(self, word: str, body: Sequence[gast.AST]) -> None:
        if body:
            self.fill(word)
            self.block(body)

    def _While(self, t: gast.While) -> None:
        self.fill("while ")
        self.condition(t.test)
        self.block(t.body)
        self.otherwise("else", t.orelse)

    def _For(self, t: gast.For, word: str = "for ") -> None:
        self.fill(word)
        self.value(t.target, bare=True)
        self.write(" in ")
        self.value(t.iter)
        self.block(t.body)
        self.otherwise("else", t.orelse)

    def _AsyncFor(self, t: gast.AsyncFor) -> None:
        self._For(t, "async for ")

    def _With(self, t: gast.With, word: str = "with ") -> None:
        self.fill(word)
        for i, item in enumerate(t.items):
            self.write(", " if i else "")
            # `with (a, b):` enters a and b; a tuple takes a second pair of parentheses.
            tuple_alone = isinstance(item.context_expr, gast.Tuple) and not item.optional_vars
            self.write("(" if tuple_alone else "")
            self.value(item.context_expr)
            self.write(")" if tuple_alone else "")
            if item.optional_vars is not None:
                self.write(" as ")
                self.dispatch(item.optional_vars)
        self.block(t.body)

    def _AsyncWith(self, t: gast.AsyncWith) -> None:
        self._With(t, "async with ")

    def _Try(self, t: gast.Try) -> None:
        self.fill("try")
        self.block(t.body)
        for handler in t.handlers:
            self.fill("except* " if isinstance(t, gast.TryStar) else "except ")
            self.handler(handler)
        self.otherwise("else", t.orelse)
        self.otherwise("finally", t.finalbody)

    _TryStar = _Try

    def _Attempt(self, t: Attempt) -> None:
        self._Try(as_try(t, t.body, t.orelse, t.tried))

    def _Finally(self, t: Finally) -> None:
        self._Try(as_try(t, t.body, t.orelse))

    def handler(self, t: gast.ExceptHandler) -> None:
        if t.type is None:
            self.parts = ["except"]
        else:
            self.value(t.type)
        if t.name is not None:
            self.write(f" as {t.name.id}")
        self.block(t.body)

    def _Match(self, t: gast.Match) -> None:
        self.fill("match ")
        self.value(t.subject, bare=True)
        self.enter()
        for case in t.cases:
            self.fill("case ")
            self.dispatch(case.pattern)
            if case.guard is not None:
                self.write(" if ")
                self.condition(case.guard)
            self.block(case.body)
        self.leave()

    # Definitions

    def decorators(self, trees: Sequence[gast.AST]) -> None:
        for tree in trees:
            self.fill("@")
            self.value(tree)

    def _FunctionDef(self, t: gast.FunctionDef, word: str = "def ") -> None:
        self.decorators(t.decorator_list)
        self.fill(word + t.name)
        self.type_params(t)
        parameters = list(self.parameters(t.args))
        if parameters:
            with self.brackets("(", ")"):
                self.items(parameters)
        else:
            self.write("()")
        if t.returns is not None:
            self.write(" -> ")
            self.value(t.returns)
        self.block(t.body, documented=True)

    def _AsyncFunctionDef(self, t: gast.AsyncFunctionDef) -> None:
        self._FunctionDef(t, "async def ")

    def _ClassDef(self, t: gast.ClassDef) -> None:
        self.decorators(t.decorator_list)
        self.fill("class " + t.name)
        self.type_params(t)
        if t.bases or t.keywords:
            self.listed("(", [*t.bases, *t.keywords], ")")
        self.block(t.body, documented=True)

    def _TypeAlias(self, t: gast.TypeAlias) -> None:
        self.fill("type ")
        self.dispatch(t.name)
        self.type_params(t)
        self.write(" = ")
        self.value(t.value)

    def type_params(self, t: gast.AST) -> None:
        if getattr(t, "type_params", None):
            self.listed("[", t.type_params, "]")

    def _TypeVar(self, t: gast.TypeVar, stars: str = "") -> None:
        self.write(stars + t.name)
        if getattr(t, "bound", None) is not None:
            self.write(": ")
            self.dispatch(t.bound)
        if getattr(t, "default_value", None) is not None:
            self.write(" = ")
            self.dispatch(t.default_value)

    def _TypeVarTuple(self, t: gast.TypeVarTuple) -> None:
        self._TypeVar(t, "*")

    def _ParamSpec(self, t: gast.ParamSpec) -> None:
        self._TypeVar(t, "**")


def _leads_to_definition(body: Sequence[gast.AST]) -> bool:
    first = next((s for s in body if not isinstance(s, Comment)), None)
    return isinstance(first, DEFINITIONS)


def _is_docstring(statement: gast.AST) -> bool:
    value = statement.value if isinstance(statement, gast.Expr) else None
    return isinstance(value, gast.Constant) and type(value.value) is str
