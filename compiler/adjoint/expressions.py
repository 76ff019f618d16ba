"""The adjoint of an expression: its bar is pushed through operators and primitives down to variables."""

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from pullback.compiler.adjoint.arguments import bind_rule, literals
from pullback.compiler.adjoint.bars import Bar, Contribution, Contributions
from pullback.compiler.adjoint.elementwise import Elementwise
from pullback.compiler.adjoint.instantiate import Instance
from pullback.compiler.adjoint.operands import Operands, is_leaf, is_variable, item
from pullback.compiler.adjoint.sums import with_new_axes, without_axes
from pullback.compiler.analysis.arithmetic import OPERATORS
from pullback.compiler.analysis.calls import spelled
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import (
    CONTAINERS,
    ENDLESS,
    PERHAPS_INTEGRAL,
    SCALARS,
)
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, call, clone, expression, name
from pullback.compiler.ir.walk import every_node, root_of
from pullback.compiler.rules.language import Rule, rule_of
from pullback.compiler.rules.methods import ATTRIBUTES, METHODS, SECOND, SPREAD


class Expressions(Operands):
    """Pushes bars through expressions."""

    def __init__(
        self,
        program: Program,
        spec: Spec,
        shadows: Shadows,
        guards: str,
        hold: Callable[[gast.expr], None] | None,
    ) -> None:
        super().__init__(program, spec, shadows, hold)
        self.guards = guards
        self.out = Contributions()
        self.meets_zero = False  # may the statement's adjoint be zero for a path not taken?
        self.results: dict[str, gast.expr | None] = {}
        self.elementwise = Elementwise(self)

    # -- entry --------------------------------------------------------------------------------

    def adjoint(self, node: gast.expr, bar: Bar, target: str | None = None) -> Contributions:
        """What a statement with the value `node`, whose adjoint is `bar`, contributes to the variables in it."""
        self.out = Contributions()
        self.result_of = (node, target) if target is not None else None
        self.push(node, bar)
        return self.out

    def push(self, node: gast.expr, bar: Bar) -> None:
        if not self.active(node):
            return
        if self.type_of(node).kind in SCALARS:
            bar = bar.as_number()
        if is_variable(node) or self.is_part(node):
            if self.type_of(node).kind in ("dict", "object", "set", "opaque", "known"):
                self._refuse_place(node)
                return
            self._arrive(node, bar)
            return
        method = getattr(self, f"_push_{type(node).__name__}", None)
        if method is None:
            self.refuse(
                node,
                "cannot differentiate this expression",
                f"An expression of this kind ({type(node).__name__}) has no adjoint when active values go into it.",
                "compute it from numbers, arrays and lists, one step a statement",
            )
            return
        method(node, bar)

    def _refuse_place(self, node: gast.expr) -> None:
        endless = self.type_of(node).code == ENDLESS
        self.refuse(
            node,
            "cannot tell where this adjoint goes",
            "Each round puts the last tuple into a new one, so its type has no end."
            if endless
            else "It holds an active value, and its parts are not followed, or its kind differs from path to path.",
            "append to a list, or make it an object of a class" if endless else "use numbers, arrays, lists or tuples",
        )

    def _arrive(self, node: gast.expr, bar: Bar) -> None:
        if with_new_axes(node) and is_variable(node.value) and not self.shadows.has(self.type_of(node.value)):  # type: ignore[attr-defined]
            node, bar = node.value, Bar(without_axes(bar.spelled_out(), node.slice))  # type: ignore[attr-defined]
        in_place = not is_variable(node) or self.shadows.has(self.type_of(node))  # adding broadcasts by itself
        brief = bar.text if bar.spread and self.type_of(node).kind == "array" else None
        if bar.spread and (self.type_of(node).kind in SCALARS or (in_place and brief is not None)):
            text, bar = bar.text, Bar(bar.text)
        else:
            text = bar.spelled_out()
        mirrored = self.shadows.has(self.type_of(root_of(node)))
        self.out.found.append(Contribution(clone_read(node), text, bar.fresh or bar.spread, brief, mirrored))

    # -- operators ----------------------------------------------------------------------------

    def _push_BinOp(self, node: gast.BinOp, bar: Bar) -> None:
        left, right = self.type_of(node.left), self.type_of(node.right)
        if left.kind in ("list", "tuple", "dict") or right.kind in ("list", "tuple", "dict"):
            self.refuse(
                node,
                "cannot differentiate this sequence operation",
                "An operator on lists or tuples of active values has no adjoint here.",
                "build the list with append in a loop, or use arrays",
            )
            return
        self._apply(OPERATORS[type(node.op)], node, [node.left, node.right], {}, bar)

    def _push_UnaryOp(self, node: gast.UnaryOp, bar: Bar) -> None:
        self._apply(OPERATORS[type(node.op)], node, [node.operand], {}, bar)

    def _push_Attribute(self, node: gast.Attribute, bar: Bar) -> None:
        function = ATTRIBUTES.get(node.attr)
        if function is None:
            self.refuse(
                node,
                f"cannot differentiate the attribute `{node.attr}`",
                "It has no derivative rule.",
                "compute it with functions that have rules",
            )
            return
        self._apply(function, node, [node.value], {}, bar)

    def _push_Subscript(self, node: gast.Subscript, bar: Bar) -> None:
        """An item of an expression: its adjoint is zero but for the item."""
        if self.hold is not None and self.type_of(node.value).kind in ("array", "number", *CONTAINERS):
            self.hold(node.value)
            self._arrive(node, bar)
            return
        self.refuse(
            node,
            "cannot index this expression",
            "What it is differs from path to path, or is not followed.",
            "make it a list, a tuple or an array on every path",
        )

    def _push_Call(self, node: gast.Call, bar: Bar) -> None:
        function = self.spec.facts.resolved.get(node)
        if isinstance(node.func, gast.Attribute) and self.type_of(node.func.value).numeric:
            self._method(node, function, bar)
            return
        if (
            function in (np.array, np.asarray, np.ascontiguousarray, list, tuple)
            and node.args
            and self.type_of(node.args[0]).kind not in ("array", "number", *SCALARS)
        ):
            self._entries(node.args[0], bar, node)
            return
        if function is np.where and len(node.args) == 3:
            bar = Bar(bar.text, bar.spread, bar.whole, bar.fresh, True)
        self._apply(function, node, node.args, {k.arg or "": k.value for k in node.keywords}, bar)

    def _method(self, node: gast.Call, function: Any, bar: Bar) -> None:
        assert isinstance(node.func, gast.Attribute)
        base, method = node.func.value, node.func.attr
        if method == "astype":
            self._cast(node, base, bar)
            return
        if method == "item":
            function = np.ndarray.item
        if method in METHODS:
            function = METHODS[method]
        arguments: list[Any] = list(node.args)
        if method in SPREAD and arguments and (len(arguments) != 1 or self.type_of(arguments[0]).kind == "int"):
            arguments = [gast.Tuple(arguments, gast.Load())]
        ordered = [arguments[0], base, *arguments[1:]] if method in SECOND else [base, *arguments]
        self._apply(function, node, ordered, {k.arg or "": k.value for k in node.keywords}, bar)

    def _cast(self, node: gast.Call, base: gast.expr, bar: Bar) -> None:
        dtype = self.type_of(base).dtype
        known = dtype not in ("", PERHAPS_INTEGRAL)
        if known and dtype != self.type_of(node).dtype and self.type_of(base).kind == "array":
            name_ = "complex128" if self.type_of(base).perhaps_complex else dtype
            self.push(base, Bar(expression(f"bar.astype(np.{name_})", bar=bar.spelled_out()), fresh=True))
        elif self.is_complex(node) and not self.type_of(base).is_complex and not self.type_of(base).perhaps_complex:
            self.push(base, Bar(call("np.real", bar.spelled_out())))
        else:
            self.push(base, bar)

    def _entries(self, source: gast.expr, bar: Bar, node: gast.Call) -> None:
        """np.array([a, [b, c]]): each entry gets its part of the adjoint."""
        whole = self.named(Bar(bar.spelled_out()), node)
        self._entry(source, whole.text, self.is_complex(node))

    def _entry(self, source: gast.expr, bar: gast.expr, complex_: bool) -> None:
        if not self.active(source):
            return
        if isinstance(source, (gast.List, gast.Tuple)):
            for i, element in enumerate(source.elts):
                self._entry(element, item(bar, i), complex_)
        elif self.type_of(source).kind in ("list", "tuple"):
            self.out.loops += self._spread_over(source, bar)
        else:
            real = complex_ and not self.is_complex(source)
            self.push(source, Bar(call("np.real", clone(bar)) if real else clone(bar)))

    def _spread_over(self, source: gast.expr, bar: gast.expr) -> list[gast.stmt]:
        shadow = self.bar_place(source)
        return [gast.Expr(call("accumulate", shadow, clone(bar)))]

    # -- primitives ---------------------------------------------------------------------------

    def _apply(
        self,
        function: Any,
        node: gast.expr,
        arguments: list[gast.expr],
        keywords: dict[str, gast.expr],
        bar: Bar,
    ) -> None:
        found = self.rule_for(function, node, arguments, keywords)
        if found is None:
            return
        rule, bound = found
        if rule.form == "elementwise":
            self.elementwise.push(rule, node, bound, bar, function)
        else:
            conjugate = self.is_complex(node) and not rule.conjugates
            if conjugate:
                bar = Bar(call("np.conj", bar.spelled_out()), fresh=True)
            Instance(self, rule, node, bound, bar, conjugate).emit()

    def rule_for(
        self, function: Any, node: gast.expr, arguments: list[gast.expr], keywords: dict[str, gast.expr]
    ) -> tuple[Rule, dict[str, gast.expr]] | None:
        """The rule of a primitive and its operands by parameter; None where it is refused, or has no derivative."""
        rule = rule_of(function)
        if rule is not None and rule.form == "rule":
            rule = rule_of(function, literals(self, rule, arguments, keywords)) or rule
        if rule is None or rule.form == "constant" or self.is_opaque(node):
            self.refuse_unless_flat(node, rule)
            return None
        bound = bind_rule(self, rule, node, arguments, keywords)
        return None if bound is None or self._is_for_real(rule, node, bound) or self._is_stacked(rule, node, bound) else (rule, bound)

    def _is_for_real(self, rule: Rule, node: gast.expr, bound: dict[str, gast.expr]) -> bool:
        """Refuse complex operands of a rule that does not hold for them."""
        holomorphic = not rule.real and (rule.form == "elementwise" or self.is_complex(node))
        refused = not rule.conjugates and not holomorphic and any(map(self.is_complex, bound.values()))
        if refused:
            self.refuse(
                node,
                f"the derivative rule of `{rule.name}` is for real arguments only",
                "An argument is complex.",
                "compute it from `z.real` and `z.imag`",
            )
        return refused

    def _is_stacked(self, rule: Rule, node: gast.expr, bound: dict[str, gast.expr]) -> bool:
        """Refuse a stack of operands where the rule is for one."""
        operands = [self.type_of(b) for given in bound.values() for b in getattr(given, "elts", [given])]
        refused = rule.rank is not None and any(
            v.numeric and (v.rank is None or v.rank > rule.rank) for v in operands
        )
        if refused:
            self.refuse(
                node,
                f"the derivative rule of `{rule.name}` is for one operand, not for a stack of them",
                f"An argument has more than {rule.rank} axes, or a number of them that differs from path to path.",
                "call it in a loop over the first axis, or use the function of `np.linalg`",
            )
        return refused

    def is_opaque(self, node: gast.expr) -> bool:
        """Is the result something, like text, that an active number may come back out of?"""
        return node in self.types and self.types[node].kind == "opaque"

    def refuse_unless_flat(self, node: gast.expr, rule: Rule | None) -> None:
        """A function without rule is refused; one whose derivative is zero is not, if a number is what it gives."""
        if rule is None or self.is_opaque(node):
            self.refuse(
                node,
                f"no derivative rule for `{spelled(node)}`",
                "Its argument is active, and pullback cannot differentiate through it.",
                "compute it with functions that have rules, or in a plain Python function that pullback can read",
            )

    def leaf_count(self, node: gast.expr) -> int:
        if is_variable(node) or self.is_part(node):
            return 1
        return sum(1 for n in every_node(node) if isinstance(n, gast.Name) and self.active(n))

    def is_complex(self, node: gast.AST) -> bool:
        return self.type_of(node).is_complex

    def pass_on(self, child: gast.expr, bar: Bar, node: gast.expr) -> None:
        """Go on from an operation into an operand, naming the bar first if it will be used more than once."""
        if self.type_of(child).kind in SCALARS:
            bar = bar.as_number(self.type_of(node).kind in SCALARS)
        leaf = is_variable(child) or self.is_part(child)
        if not leaf and not is_leaf(bar.text) and not bar.spread and self.leaf_count(child) > 1:
            bar = self.named(bar, child)
        self.push(child, bar)

    def named(self, bar: Bar, node: gast.expr) -> Bar:
        if is_leaf(bar.text):
            return bar
        held = self.names.fresh(f"{described(node)}_bar") if self.hold is None else "held_bar"
        self.out.prelude.append(assign(held, bar.text))
        return Bar(name(held), bar.spread, clone_whole(bar, held), False, bar.masked)


def clone_whole(bar: Bar, held: str) -> Callable[[], gast.expr] | None:
    if not bar.spread or bar.whole is None:
        return None
    whole = bar.whole
    return lambda: _swap(whole(), bar.text, held)


def _swap(tree: gast.expr, part: gast.expr, held: str) -> gast.expr:
    """A copy of the tree in which the part's text reads the variable that now holds it."""
    wanted = gast.dump(part)

    class Swap(gast.NodeTransformer):
        def visit(self, node: Any) -> Any:
            if isinstance(node, gast.expr) and gast.dump(node) == wanted:
                return name(held)
            return self.generic_visit(node)

    return Swap().visit(clone(tree))


def clone_read(node: gast.expr) -> gast.expr:
    new = clone(node)
    for a, b in zip(every_node(node), every_node(new)):
        b.fact_of = a
    return new
