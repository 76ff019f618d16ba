"""A rule's text at a call: parameters become the arguments, tests that the types decide are folded."""

import functools
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from pullback.compiler.adjoint.algebra import number, scaled
from pullback.compiler.adjoint.bars import Bar
from pullback.compiler.adjoint.operands import item
from pullback.compiler.adjoint.shapes import Shapes, UntransposedTwice, restored
from pullback.compiler.analysis.values import BOTTOM, SCALARS, Value, covers, join
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import (
    assign,
    call,
    clone,
    constant,
    expression,
    loaded,
    name,
    substituted,
)
from pullback.compiler.ir.walk import every_node, reads
from pullback.compiler.rules.language import Rule

if TYPE_CHECKING:
    from pullback.compiler.adjoint.expressions import Expressions

UNKNOWN = object()


def _entrywise(node: gast.expr) -> bool:
    """Does the expression of a rule have the shape of the result whose adjoint it scales?"""
    return not any(_reshapes(n) for n in every_node(node))


def _reshapes(node: gast.AST) -> bool:
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, gast.MatMult)
    if not isinstance(node, gast.Call):
        return isinstance(node, gast.Subscript)
    word = node.func.attr if isinstance(node.func, gast.Attribute) else ""
    entrywise = isinstance(getattr(np, word, None), np.ufunc) or word in ("where", "real", "imag")
    return not entrywise or word == "matmul"


class Instance:
    """One use of an @rule: its adjoint equations with the call's operands in place."""

    def __init__(
        self,
        host: "Expressions",
        rule: Rule,
        node: gast.expr,
        bound: dict[str, gast.expr],
        bar: Bar,
        conjugate: bool = False,
    ) -> None:
        self.conjugate = conjugate
        self.results, host.results = host.results, {}
        self.host = host
        self.rule = rule
        self.text = rule.text
        self.node = node
        self.bound = bound
        self.bar = bar
        self.locals: dict[str, gast.expr] = {}

    def emit(self) -> None:
        """Push the contributions of the rule's adjoint equations into the operands."""
        statements = self._folded(self.text.adjoint)
        if statements is None:
            self._out_of_line()
            return
        uses = sum(
            1
            for s in statements
            for n in every_node(s)
            if isinstance(n, gast.Name) and n.id in {f"{r}_bar" for r in self.text.results}
        )
        selects = self.rule.name == "where" and covers(
            self.host.type_of(self.bound[self.text.parameters[0]]).shape, self.host.type_of(self.node).shape
        )
        if selects and self.bar.spread:  # the condition spreads it
            self.bar = Bar(self.bar.text, fresh=True, masked=True)
        elif len(self.text.results) == 1 and not self.results and (uses > 1 or self.bar.spread):
            spelled = self.bar.spelled_out() if self.bar.spread else self.bar.text
            self.bar = self.host.named(Bar(spelled, fresh=True), self.node)
        for statement in statements:
            self._statement(statement)

    # -- folding ------------------------------------------------------------------------------

    def _folded(self, body: Any) -> list[gast.stmt] | None:
        """The statements that the types leave; None if a test cannot be decided."""
        kept: list[gast.stmt] = []
        for statement in body:
            if isinstance(statement, gast.If):
                outcome = self._decide(statement.test)
                if outcome is UNKNOWN:
                    return None
                inner = self._folded(statement.body if outcome else statement.orelse)
                if inner is None:
                    return None
                kept += inner
            elif isinstance(statement, gast.For) and self._unrolled(statement) is None:
                return None
            elif isinstance(statement, gast.For):
                kept += self._unrolled(statement) or []
            elif isinstance(statement, gast.Assign) and not isinstance(statement.targets[0], gast.Name):
                return None
            else:
                kept.append(statement)
        return kept

    def _unrolled(self, loop: gast.For) -> list[gast.stmt] | None:
        """`for k in range(len(xs)): xs_bar[k] += part` over a display or a list variable."""
        body = loop.body[0]
        if len(loop.body) != 1 or not isinstance(body, gast.AugAssign) or not isinstance(body.target, gast.Subscript):
            return None
        target = body.target.value
        parameter = target.id[:-4] if isinstance(target, gast.Name) else ""
        source = self.bound.get(parameter)
        if isinstance(source, (gast.List, gast.Tuple)) and isinstance(loop.target, gast.Name):
            if any(isinstance(e, gast.Starred) for e in source.elts):
                return None
            return [s for i in range(len(source.elts)) for s in substituted([body], {loop.target.id: constant(i)})]
        return [loop]

    def _decide(self, test: gast.expr) -> Any:
        """True, False or UNKNOWN: tests on given arguments, ranks and literals."""
        if isinstance(test, gast.BoolOp):
            parts = [self._decide(v) for v in test.values]
            decisive = isinstance(test.op, gast.Or)
            if decisive in parts:
                return decisive
            return UNKNOWN if UNKNOWN in parts else not decisive
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            inner = self._decide(test.operand)
            return UNKNOWN if inner is UNKNOWN else not inner
        if isinstance(test, gast.Compare) and len(test.ops) == 1:
            left, right = self.constant_of(test.left), self.constant_of(test.comparators[0])
            return _compare(test.ops[0], left, right)
        value = self.constant_of(test)
        return UNKNOWN if value is UNKNOWN else bool(value)

    def constant_of(self, node: gast.expr) -> Any:
        literal = number(node)
        if literal is not None:
            return literal
        if isinstance(node, gast.Constant):
            return node.value
        if isinstance(node, gast.Tuple):
            parts = [self.constant_of(e) for e in node.elts]
            return UNKNOWN if UNKNOWN in parts else tuple(parts)
        if isinstance(node, gast.Name):
            return self._argument(node.id)
        rank = self._rank_of(node)
        return UNKNOWN if rank is None else rank

    def _argument(self, parameter: str) -> Any:
        if parameter in self.bound:
            argument = self.bound[parameter]
            value = self.host.type_of(argument)
            if value.known is not None:
                return value.known.value
            literal = self._literal(argument)
            if literal is not UNKNOWN:
                return literal
            return _Given() if value.kind not in ("opaque", "none") or isinstance(argument, gast.Tuple) else UNKNOWN
        if parameter in self.text.defaults:
            return self.constant_of(self.text.defaults[parameter])
        return UNKNOWN

    def _literal(self, node: gast.expr) -> Any:
        if isinstance(node, gast.Constant):
            return node.value
        if isinstance(node, gast.Tuple):
            parts = [self._literal(e) for e in node.elts]
            return UNKNOWN if UNKNOWN in parts else tuple(parts)
        value = number(node)
        return UNKNOWN if value is None else value

    def _rank_of(self, node: gast.expr) -> int | None:
        """np.ndim(x) or x.ndim for a parameter or the result."""
        inner: Any = None
        if isinstance(node, gast.Attribute) and node.attr == "ndim":
            inner = node.value
        elif isinstance(node, gast.Call) and printed(node.func).strip() == "np.ndim":
            inner = node.args[0]
        if not isinstance(inner, gast.Name):
            return None
        if inner.id in self.bound:
            return self.host.type_of(self.bound[inner.id]).rank
        if inner.id in self.text.results:
            return self.host.type_of(self.node).rank
        return None

    # -- statements ---------------------------------------------------------------------------

    def _statement(self, statement: gast.stmt) -> None:
        if isinstance(statement, gast.For):
            self._loop(statement)
        elif isinstance(statement, gast.Assign):
            target = statement.targets[0]
            assert isinstance(target, gast.Name)
            held = self.host.names.fresh(target.id) if self.host.hold is None else target.id
            self.host.out.prelude.append(assign(held, self._text(statement.value)))
            self.locals[target.id] = name(held)
        elif isinstance(statement, gast.AugAssign):
            self._contribution(statement)

    def _contribution(self, statement: gast.AugAssign) -> None:
        target = statement.target
        parameter = (target.value if isinstance(target, gast.Subscript) else target).id
        if parameter in self.locals:
            self.host.out.prelude.append(gast.AugAssign(self._store(target), statement.op, self._text(statement.value)))
            return
        child: Any = self.bound.get(parameter[:-4])
        if child is None:
            return
        if isinstance(target, gast.Subscript):
            child = self._element(child, target.slice.value) if isinstance(target.slice, gast.Constant) else child
        if not self.host.active(child):
            return
        self._hand_to(child, self._bar(statement.value, child))

    def _element(self, source: Any, i: int) -> gast.expr:
        """One of several operands, which a display or a variable holds."""
        if isinstance(source, (gast.List, gast.Tuple)):
            return source.elts[i]
        part = item(source, i)
        known = self.host.type_of(source)
        cells = self.host.program.cells(known)
        items = known.items or next((c.items for c in cells if c.items is not None), None)
        self.host.types[part] = items[i] if items is not None else Value("opaque")
        self.host.types[part.value] = known  # type: ignore[attr-defined]
        return part

    def _hand_to(self, child: gast.expr, bar: Bar) -> None:
        """What the rule's text gives an operand, in the operand's own kind."""
        if self.conjugate:
            bar = Bar(call("np.conj", bar.spelled_out()), fresh=True)
        if self._is_turned(self.host.type_of(child)):
            bar = Bar(call("np.real", bar.spelled_out()))
        self.host.pass_on(child, bar, self.node)

    def _is_turned(self, operand: Value) -> bool:
        """Is the operand real and the result complex?"""
        results = [self.host.type_of(self.node), *(self.host.type_of(self.node).items or ())]
        return any(r.is_complex for r in results) and not operand.is_complex

    def _for_element(self, body: gast.expr, element: Value, shadow: gast.expr | None) -> gast.expr:
        """What an element of a sequence receives."""
        text = call("np.conj", self._text(body)) if self.conjugate else self._text(body)
        if shadow is not None and element.perhaps_complex and element.kind == "array":
            return call("as_real_as", text, loaded(shadow))
        return call("np.real", text) if self._is_turned(element) else text

    def _store(self, target: gast.expr) -> gast.expr:
        new = substituted([target], self.locals)[0]
        new.ctx = gast.Store()
        return new

    def _bar(self, value: gast.expr, child: gast.expr) -> Bar:
        """The contribution as a bar; what only spreads the result's adjoint stays unspread while it can."""
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id == "expand":
            return self._expanded(value, child)
        if isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id == "unbroadcast":
            return self._unbroadcast(value, child)
        text = self._text(value)
        mask = self.rule.name == "where"
        if isinstance(value, gast.Name):
            return Bar(text, fresh=False, masked=mask)
        view = isinstance(value, gast.Call) and printed(value.func).strip() in VIEWS
        return Bar(text, fresh=not view, masked=mask)

    def _unbroadcast(self, value: gast.Call, child: gast.expr) -> Bar:
        whole, part = self.host.type_of(self.node).shape, self.host.type_of(child).shape
        if covers(part, whole) and _entrywise(value.args[0]):
            return Bar(self._text(value.args[0]), fresh=not isinstance(value.args[0], gast.Name))
        if part == ():
            return Bar(call("np.sum", self._text(value.args[0])))
        return Bar(call("unbroadcast", self._text(value.args[0]), self.host.shape(child)), fresh=True)

    def _expanded(self, value: gast.Call, child: gast.expr) -> Bar:
        inner = self._text(value.args[0])
        if self.host.type_of(child).kind in SCALARS:
            return Bar(inner)
        axis, keepdims = self.constant_of(value.args[2]), self.constant_of(value.args[3])
        if axis is None:
            return Bar(inner, True, lambda: call("np.full", self._text(value.args[1]), clone(inner)))

        def whole() -> gast.expr:
            spelled = call("expand", clone(inner), self._text(value.args[1]), self._text(value.args[2]))
            if keepdims is not False:
                spelled.args.append(self._text(value.args[3]))
            return spelled

        if keepdims is UNKNOWN:
            return Bar(whole(), fresh=True)
        short = restored(clone(inner), self._text(value.args[2]), axis, self.host.type_of(self.node).rank, keepdims is True)
        return Bar(short, True, whole)

    def _text(self, template: gast.expr) -> gast.expr:
        """The template's expression with operands, results and adjoints in place."""
        if (
            isinstance(template, gast.BinOp)
            and isinstance(template.op, gast.Mult)
            and isinstance(template.left, gast.Name)
            and template.left.id in self._bars()
        ):
            return scaled(clone(self.bar.text), self._text(template.right))
        shapes = Shapes(self)
        tree = shapes.visit(clone(template))
        used = reads(tree)
        values: dict[str, gast.expr] = {**self.locals, **shapes.found}
        for parameter in dict.fromkeys(
            (*self.text.parameters, *self.text.keywords, *([self.text.vararg] if self.text.vararg else []))
        ):
            if parameter in used:
                values[parameter] = (
                    self.host.operand(self.bound[parameter])
                    if parameter in self.bound
                    else (clone(self.text.defaults[parameter]))
                )
        for i, result in enumerate(self.text.results):
            if result in used:
                values[result] = self._result(i)
            if f"{result}_bar" in used:
                values[f"{result}_bar"] = self._result_bar(i, result)
        return UntransposedTwice().visit(substituted([tree], values)[0])

    def _bars(self) -> set[str]:
        one = len(self.text.results) == 1 and not self.results
        return {f"{r}_bar" for r in self.text.results} if one else set()

    def _result(self, i: int) -> gast.expr:
        if len(self.text.results) == 1:
            return self.host.result(self.node)
        held = self.results.get(f"value {i}")
        return clone(held) if held is not None else item(self.host.result(self.node), i)

    def _result_bar(self, i: int, result: str) -> gast.expr:
        if len(self.text.results) == 1 and not self.results:
            return clone(self.bar.text)
        if len(self.text.results) == 1:  # one name for a sequence of results
            count = sum(1 for k in self.results if k.startswith("value "))
            parts = [
                self.results.get(f"bar {k}") or call("np.zeros_like", clone(self.results[f"value {k}"]))
                for k in range(count)
            ]
            return gast.List([clone(p) for p in parts], gast.Load())
        held = self.results.get(f"bar {i}")
        if held is None and not self.results:  # of a tuple that was not taken apart
            return item(self.bar.spelled_out(), i)
        return clone(held) if held is not None else constant(0.0)

    def _loop(self, loop: gast.For) -> None:
        """The contributions to a list variable, one a turn, straight into the adjoints of its elements."""
        body = loop.body[0]
        assert isinstance(body, gast.AugAssign) and isinstance(body.target, gast.Subscript)
        parameter = body.target.value.id[:-4]
        source = self.bound[parameter]
        if not self.host.active(source):
            return
        index = self.host.names.fresh("k") if self.host.hold is None else "k"
        self.locals[loop.target.id] = name(index)
        if self.host.type_of(source).kind in ("array", "number"):
            self._stacked(loop, source)
            return
        place = gast.Subscript(self.host.bar_place(source), name(index), gast.Store())
        known = self.host.type_of(source)
        elements = [*(known.items or ()), *(v for c in self.host.program.cells(known) for v in c.held())]
        element = functools.reduce(join, elements, BOTTOM)
        new = gast.AugAssign(place, gast.Add(), self._for_element(body.value, element, place))
        self.host.out.loops.append(gast.For(name(index, store=True), self._text(loop.iter), [new], [], None))

    def _stacked(self, loop: gast.For, source: gast.expr) -> None:
        body = loop.body[0]
        text = expression(
            "np.array([part for k in over])",
            part=self._for_element(body.value, self.host.type_of(source), None),
            over=self._text(loop.iter),
            k=self.locals[loop.target.id],
        )
        self.host.pass_on(source, Bar(text, fresh=True), self.node)

    def _out_of_line(self) -> None:
        """The rule's adjoint as a function of its own, where its tests wait for the ranks at run time."""
        helper = f"{self.rule.name}_adjoint"
        every = dict.fromkeys((*self.text.parameters, *self.text.keywords))
        parameters = [p for p in every if p in self.bound or p in self.text.defaults]
        named = [p for p in parameters if p in self.text.differentiable]
        lines = [f"    {p}_bar = 0.0" for p in named]
        body = [printed(gast.Module([clone(s)], [])).rstrip() for s in self.text.adjoint]
        lines += ["    " + line for part in body for line in part.split("\n")]
        result = self.text.results[0]
        needs = set().union(*(reads(s) for s in self.text.adjoint))
        extra = [result] if result in needs else []
        signature = ", ".join([f"{result}_bar", *extra, *parameters])
        lines.append(f"    return {', '.join(f'{p}_bar' for p in named)}{',' if len(named) == 1 else ''}")
        self.host.out.helpers[helper] = f"def {helper}({signature}):\n" + "\n".join(lines) + "\n"
        operands = [
            self.host.operand(self.bound[p]) if p in self.bound else clone(self.text.defaults[p]) for p in parameters
        ]
        results = [self.host.result(self.node)] if extra else []
        held = self.host.names.fresh(f"{described(self.node)}_parts") if self.host.hold is None else "parts"
        self.host.out.prelude.append(assign(held, call(helper, self.bar.spelled_out(), *results, *operands)))
        for i, parameter in enumerate(named):
            child = self.bound.get(parameter)
            if child is not None and self.host.active(child):
                self._hand_to(child, Bar(gast.Subscript(name(held), constant(i), gast.Load())))


class _Given:
    """An argument that was passed: it equals nothing, and is not None."""


VIEWS = (
    "np.reshape",
    "np.transpose",
    "np.swapaxes",
    "np.moveaxis",
    "np.squeeze",
    "np.expand_dims",
    "np.flip",
    "np.ravel",
    "np.asarray",
    "np.fliplr",
    "np.flipud",
    "np.rot90",
    "np.real",
    "np.split",
    "np.matrix_transpose",
    "np.take",
    "np.diag",
)


def _compare(op: gast.cmpop, left: Any, right: Any) -> Any:
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    given = isinstance(left, _Given) or isinstance(right, _Given)
    if isinstance(op, (gast.Is, gast.IsNot)):
        same = left is right and not given
        if given and not (left is None or right is None):
            return UNKNOWN
        return same if isinstance(op, gast.Is) else not same
    if given:
        return UNKNOWN
    table: dict[type, Any] = {
        gast.Eq: lambda: left == right,
        gast.NotEq: lambda: left != right,
        gast.Lt: lambda: left < right,
        gast.LtE: lambda: left <= right,
        gast.Gt: lambda: left > right,
        gast.GtE: lambda: left >= right,
    }
    decide = table.get(type(op))
    return UNKNOWN if decide is None else decide()
