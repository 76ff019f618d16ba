"""Statements that nobody needs go: values of the primal that neither sweep reads, loops left empty."""

from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.flow import control_flow
from pullback.compiler.analysis.liveness import Effects, live_variables
from pullback.compiler.analysis.program import Program
from pullback.compiler.analysis.values import Value
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.nodes import Blank, Comment
from pullback.compiler.ir.walk import every_statement, names_in, own_nodes, reads
from pullback.compiler.rules.writing import split_out

PURE_BUILTINS = ("len", "range", "list", "abs", "float", "zeros", "Shadow", "reversed", "min", "max")


def without_dead_code(function: gast.FunctionDef, program: Program) -> gast.FunctionDef:
    """x = np.sin(y), x never read → nothing, if computing it cannot raise."""
    effects = Effects()  # what a statement reads and binds stays the same while others go
    while True:
        before = _size(function.body)
        live = live_variables(control_flow(function.body), effects).after
        function.body = _kept(function.body, live, program) or [gast.Pass()]
        _drop_self_fed(function, program, effects)
        _drop_appends(function, effects)
        if _size(function.body) == before:
            break
    _tidy(function.body)
    return function


def _size(body: list[gast.stmt]) -> int:
    """How many statements there are."""
    return sum(not isinstance(s, gast.Pass) for s in every_statement(body))


def _kept(body: list[gast.stmt], live: dict[gast.stmt, frozenset[str]], program: Program) -> list[gast.stmt]:
    kept: list[gast.stmt] = []
    for s in body:
        if isinstance(s, gast.Pass):
            continue
        if isinstance(s, (gast.If, gast.For, gast.While, gast.With)):
            s.body = _kept(s.body, live, program)
            if isinstance(s, gast.If):
                s.orelse = _kept(s.orelse, live, program)
                if not _any(s.body) and not _any(s.orelse) and _safe(s.test, program):
                    continue
                if not _any(s.body) and _any(s.orelse):
                    s.test, s.body, s.orelse = _negated(s.test), s.orelse, []
            if (
                isinstance(s, gast.For)
                and not _any(s.body)
                and _safe(s.iter, program)
                and not (names_in(s.target) & live.get(s, frozenset()))
            ):
                continue
            s.body = s.body if _any(s.body) else [gast.Pass()]
        elif _dead(s, live, program):
            continue
        kept.append(s)
    return kept


def _any(body: list[gast.stmt]) -> bool:
    return any(not isinstance(s, (gast.Pass, Comment, Blank)) for s in body)


def _negated(test: gast.expr) -> gast.expr:
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(gast.Not(), test)


def _dead(s: gast.stmt, live: dict[gast.stmt, frozenset[str]], program: Program) -> bool:
    after = live.get(s)
    if after is None:  # unreachable
        return not isinstance(s, (Comment, Blank, gast.Break, gast.Return))
    if isinstance(s, gast.FunctionDef):
        return s.name not in after
    if isinstance(s, gast.Assign) and len(s.targets) == 1:
        target = s.targets[0]
        targets = target.elts if isinstance(target, gast.Tuple) else [target]
        if all(isinstance(t, gast.Name) and t.id not in after for t in targets):
            return _safe(s.value, program)
        if isinstance(s.value, gast.Name) and isinstance(target, gast.Name) and s.value.id == target.id:
            return True
    if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) and s.target.id not in after:
        return _plain_number(s, program) and _safe(s.value, program)
    if (
        isinstance(s, gast.Expr)
        and isinstance(s.value, gast.Call)
        and not s.value.args
        and isinstance(s.value.func, gast.Attribute)
        and s.value.func.attr == "pop"
    ):
        return False
    return isinstance(s, gast.Expr) and not isinstance(s.value, gast.Constant) and _safe(s.value, program)


def _plain_number(s: gast.AugAssign, program: Program) -> bool:
    """Is the target a variable that only this statement can see (a number, or an adjoint)?"""
    value = _type(s.target, program)
    return (value is not None and value.kind in ("int", "float", "bool")) or s.target.id.startswith("trips")


def _type(node: gast.AST, program: Program) -> Value | None:
    for spec in program.specs.values():
        if node in spec.facts.types:
            return spec.facts.types[node]
    return None


def _safe(node: gast.AST, program: Program) -> bool:
    """Can an expression be left out: no effect, and no exception that the primal would have raised?"""
    for n in own_nodes(node):
        if isinstance(n, gast.Call) and not _safe_call(n, program):
            return False
        if isinstance(n, (gast.NamedExpr, gast.Await, gast.Yield, gast.YieldFrom)):
            return False
        if isinstance(n, gast.BinOp) and isinstance(n.op, (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow, gast.MatMult)):
            if not _safe_division(n):
                return False
    return True


def _safe_division(n: gast.BinOp) -> bool:
    right = n.right
    if isinstance(n.op, gast.MatMult):
        return False
    literal = isinstance(right, gast.Constant) and type(right.value) in (int, float) and right.value > 0
    length = isinstance(right, gast.Call) and printed(right.func).strip() == "len"
    return literal or length  # the adjoint divides by the same length


def _safe_call(n: gast.Call, program: Program) -> bool:
    spelled = printed(n.func).strip()
    if spelled in PURE_BUILTINS:
        return True
    if spelled.endswith((".copy", ".reshape", ".ravel", ".T")):
        return True
    return spelled in SAFE_NUMPY and not _told_where(n, getattr(np, spelled.removeprefix("np.")))


def _told_where(n: gast.Call, function: Any) -> bool:
    """Does the call write its results to an array that it is given?"""
    outs = split_out(function, n.args, {k.arg or "**": k.value for k in n.keywords})[2]
    return any(not isinstance(out, gast.Constant) for out in outs)


SAFE_NUMPY = {
    f"np.{n}"
    for n in [
        "sin",
        "cos",
        "tan",
        "exp",
        "log",
        "sqrt",
        "tanh",
        "sinh",
        "cosh",
        "abs",
        "sum",
        "mean",
        "zeros",
        "ones",
        "zeros_like",
        "ones_like",
        "empty",
        "empty_like",
        "full",
        "eye",
        "shape",
        "size",
        "ndim",
        "arange",
        "linspace",
        "array",
        "asarray",
        "transpose",
        "ravel",
        "max",
        "min",
        "prod",
        "var",
        "std",
        "square",
        "sign",
        "floor",
        "ceil",
        "cumsum",
        "log1p",
        "where",
        "expm1",
        "arctan",
    ]
}


def _drop_self_fed(function: gast.FunctionDef, program: Program, effects: Effects) -> None:
    """A running total that only goes into itself goes."""
    own: dict[str, list[gast.stmt]] = {}
    outside: set[str] = names_in(function.args)

    def visit(body: list[gast.stmt]) -> None:
        for s in body:
            if isinstance(s, gast.Try):  # what raises in it decides which way the program goes
                inner = every_statement([s])
                outside.update(*(effects[i].reads for i in inner), *(effects[i].assigns for i in inner))
                continue
            target = _single_target(s)
            if target is not None and isinstance(s, gast.AugAssign) and not _plain_number(s, program):
                target = None  # it may write into memory that others see
            if target is not None and _safe(s.value, program):  # type: ignore[attr-defined]
                own.setdefault(target, []).append(s)
                outside.update(effects[s].reads - {target})
            else:
                outside.update(effects[s].reads, effects[s].assigns)
            for f in ("body", "orelse"):
                visit(getattr(s, f, []))

    visit(function.body)
    dead = {s for name, found in own.items() if name not in outside for s in found}
    if dead:
        _without(function.body, dead)


def _single_target(s: gast.stmt) -> str | None:
    if isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], gast.Name):
        return s.targets[0].id
    return s.target.id if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) else None


def _without(body: list[gast.stmt], dead: set[gast.stmt]) -> None:
    body[:] = [s for s in body if s not in dead]
    for s in body:
        for f in ("body", "orelse"):
            inner = getattr(s, f, None)
            if isinstance(inner, list):
                _without(inner, dead)
                if not inner and f == "body":
                    inner.append(gast.Pass())


def _drop_appends(function: gast.FunctionDef, effects: Effects) -> None:
    """A list that is only ever appended to is no use to anybody."""

    def is_append(s: Any) -> bool:
        return (
            isinstance(s, gast.Expr)
            and isinstance(s.value, gast.Call)
            and isinstance(s.value.func, gast.Attribute)
            and s.value.func.attr == "append"
            and isinstance(s.value.func.value, gast.Name)
        )

    every: list[Any] = every_statement(function.body)
    lists = {
        s.targets[0].id
        for s in every
        if isinstance(s, gast.Assign)
        and isinstance(s.value, gast.List)
        and not s.value.elts
        and isinstance(s.targets[0], gast.Name)
        and s.targets[0].id.endswith(("_saved", "saved2", "saved3"))
    }
    used: set[str] = set()
    for s in every:
        used |= set().union(*(reads(a) for a in s.value.args)) if is_append(s) else effects[s].reads
    dead = lists - used
    if dead:
        _Drop(dead, is_append).visit(function)


class _Drop(gast.NodeTransformer):
    def __init__(self, dead: set[str], is_append: Any) -> None:
        self.dead = dead
        self.is_append = is_append

    def visit_Expr(self, node: gast.Expr) -> Any:
        return None if self.is_append(node) and node.value.func.value.id in self.dead else node

    def visit_Assign(self, node: gast.Assign) -> Any:
        target = node.targets[0]
        return None if isinstance(target, gast.Name) and target.id in self.dead else node


def _tidy(body: list[gast.stmt]) -> None:
    """No comment over nothing, no blank line at the edges."""
    for i in range(len(body) - 1, -1, -1):
        s = body[i]
        following = body[i + 1] if i + 1 < len(body) else None
        if isinstance(s, Comment) and (
            following is None or isinstance(following, (Comment, Blank, gast.Return, gast.For, gast.While, gast.If))
        ):
            if following is None or isinstance(following, (Comment, Blank)):
                del body[i]
    for s in body:
        for f in ("body", "orelse"):
            inner = getattr(s, f, None)
            if isinstance(inner, list) and not isinstance(s, gast.FunctionDef):
                _tidy(inner)
                if not inner and f == "body":
                    inner.append(gast.Pass())
    if len(body) > 1 and isinstance(body[-2], Blank):
        del body[-2]
