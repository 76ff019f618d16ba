"""The adjoint of an expression: its bar is pushed through operators and primitives down to variables."""

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from pullback.compiler.adjoint.algebra import negated, number, power, scaled, without_sign
from pullback.compiler.adjoint.arguments import bind_rule, literals
from pullback.compiler.adjoint.bars import Bar, Contribution, Contributions
from pullback.compiler.adjoint.instantiate import Instance
from pullback.compiler.adjoint.operands import Operands, is_leaf, is_variable, item
from pullback.compiler.adjoint.sums import dotted, is_factor, summed, with_new_axes, without_axes
from pullback.compiler.analysis.arithmetic import OPERATORS
from pullback.compiler.analysis.calls import spelled
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import (
    CONTAINERS,
    ENDLESS,
    PERHAPS_INTEGRAL,
    SCALARS,
    Dims,
    covers,
    repeated_axes,
)
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, call, clone, constant, expression, name, substituted
from pullback.compiler.ir.walk import reads
from pullback.compiler.rules.language import Rule, rule_of
from pullback.compiler.rules.methods import ATTRIBUTES, METHODS, SECOND, SPREAD

MASKING = (
    "where",
    "clip",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "select",
    "choose",
    "piecewise",
    "compress",
    "extract",
)


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
        self.out.found.append(Contribution(clone_read(node), text, bar.fresh or bar.spread, brief))

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
            self._elementwise(rule, node, bound, bar, function)
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
        return None if bound is None or self._is_for_real(rule, node, bound) else (rule, bound)

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

    def _elementwise(self, rule: Rule, node: gast.expr, bound: dict[str, gast.expr], bar: Bar, function: Any) -> None:
        text = rule.text
        if getattr(function, "__name__", "") in MASKING:
            bar = Bar(bar.text, bar.spread, bar.whole, bar.fresh, True)
        children = [p for p in text.parameters if p in text.partials and p in bound and self.active(bound[p])]
        if rule.name in ("mul", "multiply") and len(children) == 2 and self._same_leaf(*(bound[p] for p in children)):
            child = bound[children[0]]
            self._to_operand(
                rule,
                node,
                child,
                expression("2.0 * x", x=clone(child)),
                bar,
                bound,
                text.partials[children[1]],
            )
            return
        if len(children) > 1 or (children and not is_leaf(bar.text) and self.leaf_count(bound[children[0]]) > 1):
            if any(number(text.partials[p]) is None for p in children):
                bar = self.named(bar, node)
        for parameter in children:
            child = bound[parameter]
            partial = self._partial(rule, parameter, node, bound)
            if partial is not None and number(partial) != 0:
                self._to_operand(rule, node, child, partial, bar, bound, text.partials[parameter])

    def _same_leaf(self, a: gast.expr, b: gast.expr) -> bool:
        """Is this x * x for a variable x?"""
        return (is_variable(a) or self.is_part(a)) and gast.dump(a) == gast.dump(b) and self.cheap(a)

    def leaf_count(self, node: gast.expr) -> int:
        if is_variable(node) or self.is_part(node):
            return 1
        return sum(1 for n in gast.walk(node) if isinstance(n, gast.Name) and self.active(n))

    def _partial(self, rule: Rule, parameter: str, node: gast.expr, bound: dict[str, gast.expr]) -> gast.expr | None:
        text = rule.text
        special = self._literal_power(rule, parameter, node, bound)
        if special is not None:
            return special
        template = text.partials[parameter]
        used = reads(template)
        values: dict[str, gast.expr] = {p: self.operand(bound[p]) for p in text.parameters if p in bound and p in used}
        for parameter_name in text.parameters:
            if parameter_name in used and parameter_name not in values and parameter_name in text.defaults:
                values[parameter_name] = text.defaults[parameter_name]
        if text.results[0] in used:
            values[text.results[0]] = self.result(node, only=used <= {text.results[0], "np", "math"})
        return substituted([template], values)[0]

    def _literal_power(
        self, rule: Rule, parameter: str, node: gast.expr, bound: dict[str, gast.expr]
    ) -> gast.expr | None:
        if rule.name != "pow" or parameter != rule.text.parameters[0]:
            return None
        base, exponent = (bound[p] for p in rule.text.parameters[:2])
        value = number(exponent)
        if value == 0.5 and self.type_of(node).dtype:
            return expression("0.5 / z", z=self.result(node, only=True)) if self.type_of(node).kind == "array" else None
        return power(self.operand(base), value) if value is not None else None

    def is_complex(self, node: gast.AST) -> bool:
        return self.type_of(node).is_complex

    def _conjugated(self, rule: Rule, partial: gast.expr, node: gast.expr, bound: dict[str, gast.expr]) -> gast.expr:
        """The adjoint of a complex function multiplies by the conjugate: df = Re(conj(g) dz)."""
        if rule.conjugates:
            return partial
        if number(partial) is not None or not self.is_complex(node):
            return partial
        if isinstance(partial, gast.Constant) and isinstance(partial.value, complex):
            return constant(partial.value.conjugate())
        imaginary = any(isinstance(n, gast.Constant) and isinstance(n.value, complex) for n in gast.walk(partial))
        of_result = any(r in reads(p) for r in rule.text.results for p in rule.text.partials.values())
        real = not (imaginary or rule.may_turn or of_result or any(self.is_complex(b) for b in bound.values()))
        return partial if real else call("np.conj", partial)

    def _to_operand(
        self,
        rule: Rule,
        node: gast.expr,
        child: gast.expr,
        partial: gast.expr,
        bar: Bar,
        bound: dict[str, gast.expr],
        template: gast.expr,
    ) -> None:
        full = (
            not bar.spread
            or any(self._fills(bound[p], node, bound) for p in reads(template) if p in bound)
            or (rule.text.results[0] in reads(template))
        )
        products = rule.name in ("mul", "multiply", "square", "truediv", "divide") or (
            rule.name == "pow"
            and number(bound[rule.text.parameters[1]]) is not None
            and number(bound[rule.text.parameters[1]]) >= 1
        )
        guarded = (
            rule.singular
            and number(partial) is None
            and (
                self.guards == "masked" and self.type_of(node).kind not in SCALARS
                if products
                else self.guards == "masked" or (self.guards == "untaken" and self.meets_zero)
            )
        )
        partial = self._conjugated(rule, partial, node, bound)
        if number(partial) == 1.0:
            product, fresh, full = bar.text, bar.fresh and not bar.spread, not bar.spread
            whole_text = bar.whole
        elif self._sums_vectors(child, node, bar) and not guarded and (one := self._factor(rule, template, node, bound)):
            vector, rest = one
            self.pass_on(child, Bar(scaled(dotted(clone(bar.text), vector), rest)))
            return
        else:
            product = call("masked_product", clone(bar.text), partial) if guarded else scaled(clone(bar.text), partial)
            old, factor = bar, partial

            def spelled() -> gast.expr:
                whole_bar = old.spelled_out()
                return call("masked_product", whole_bar, clone(factor)) if guarded else scaled(whole_bar, clone(factor))

            whole_text = None if full else spelled
            fresh = True
        new = Bar(product, not full, whole_text, fresh)
        if self.is_complex(node) and not self.is_complex(child):
            new = Bar(call("np.real", new.spelled_out()), fresh=False)
        elif number(partial) == 1.0 and is_variable(child) and self.is_complex(child) and not self.is_complex(node):
            new = Bar(gast.BinOp(new.spelled_out(), gast.Add(), constant(0j)), fresh=True)  # more may be added to it
        if not self._fills(child, node, bound):
            new = self._reduced(new, child, node)
        self.pass_on(child, new)

    def _sums_vectors(self, child: gast.expr, node: gast.expr, bar: Bar) -> bool:
        """Is the adjoint of a number the sum of a vector's entries?"""
        vector = self.type_of(node).rank == 1 and not self.is_complex(node) and not bar.spread
        return vector and self.type_of(child).shape == ()

    def _factor(
        self, rule: Rule, template: gast.expr, node: gast.expr, bound: dict[str, gast.expr]
    ) -> tuple[gast.expr, gast.expr] | None:
        """A partial derivative as a vector that fills the result times a number: -z / y → (z, -1.0 / y)."""
        nodes = {**bound, rule.text.results[0]: node}
        names = [n.id for n in gast.walk(template) if isinstance(n, gast.Name)]
        vectors = [n for n in names if n not in nodes or self.type_of(nodes[n]).shape != ()]
        if len(vectors) != 1 or vectors[0] not in nodes or not is_factor(template, vectors[0]):
            return None
        vector = nodes[vectors[0]]
        if vector is not node and not self._fills(vector, node, {"": vector}):
            return None
        values = {n: self.operand(nodes[n]) for n in names if n != vectors[0]}
        text = self.result(node) if vector is node else self.operand(vector)
        return text, substituted([template], {**values, vectors[0]: constant(1.0)})[0]

    def _fills(self, child: gast.expr, node: gast.expr, bound: dict[str, gast.expr]) -> bool:
        """Has an operand the shape of the elementwise result, whatever the arguments?"""
        whole, part = self.type_of(node).shape, self.type_of(child).shape
        if covers(part, whole):
            return True
        own = gast.dump(child)
        return all(self.type_of(b).shape == () for b in bound.values() if gast.dump(b) != own)

    def _reduced(self, bar: Bar, child: gast.expr, node: gast.expr) -> Bar:
        """Undo broadcasting: the sum over the entries that the operand was repeated for."""
        part = self.type_of(child).shape
        text = bar.spelled_out()
        positive = without_sign(text)
        if positive is not None:
            return Bar(negated(self._total(positive, part, child, node)), fresh=True)
        total = self._total(text, part, child, node)
        return Bar(total, fresh=not (isinstance(total.func, gast.Name) and total.func.id == "unbroadcast"))

    def _total(self, text: gast.expr, part: Dims, child: gast.expr, node: gast.expr) -> gast.Call:
        if part == ():
            return call("np.sum", text)
        axes = repeated_axes(part, self.type_of(node).shape)
        return call("unbroadcast", text, self.shape(child)) if axes is None else summed(text, *axes)

    def pass_on(self, child: gast.expr, bar: Bar) -> None:
        """Go on into an operand, naming the bar first if it will be used more than once."""
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
    for a, b in zip(gast.walk(node), gast.walk(new)):
        b.fact_of = a
    return new
