"""The adjoint of elementwise primitives: the bar times a partial derivative, summed where an operand was repeated."""

import functools
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.adjoint.algebra import negated, number, power, scaled, without_sign
from pullback.compiler.adjoint.bars import Bar
from pullback.compiler.adjoint.operands import is_leaf, is_variable
from pullback.compiler.adjoint.sums import dotted, is_factor, summed
from pullback.compiler.analysis.values import SCALARS, Dims, covers, repeated_axes
from pullback.compiler.ir.template import call, clone, constant, expression, substituted
from pullback.compiler.ir.walk import every_node, reads
from pullback.compiler.rules.language import Rule

if TYPE_CHECKING:
    from pullback.compiler.adjoint.expressions import Expressions

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
CHOOSING = ("maximum", "minimum", "fmax", "fmin", "clip")  # slopes of 0 or 1, or shares of 1
EDGES = ("sqrt", "cbrt", "power", "float_power", "arcsin", "arccos", "asin", "acos", "arccosh", "acosh")  # infinite slopes at finite values
PRODUCTS = ("mul", "multiply", "square", "truediv", "divide")


def is_product(rule: Rule, bound: dict[str, gast.expr]) -> bool:
    """Is it bounded where its operands are: a product, or a power of at least 1?"""
    return rule.name in PRODUCTS or rule.name == "pow" and (number(bound[rule.text.parameters[1]]) or 0) >= 1


class Elementwise:
    """Pushes bars through elementwise primitives; `host` is the way to the operands."""

    def __init__(self, host: "Expressions") -> None:
        self.host = host

    def push(self, rule: Rule, node: gast.expr, bound: dict[str, gast.expr], bar: Bar, function: Any) -> None:
        text = rule.text
        if getattr(function, "__name__", "") in MASKING:
            bar = Bar(bar.text, bar.spread, bar.whole, bar.fresh, True)
        children = [p for p in text.parameters if p in text.partials and p in bound and self.host.active(bound[p])]
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
        if len(children) > 1 or (children and not is_leaf(bar.text) and self.host.leaf_count(bound[children[0]]) > 1):
            if any(number(text.partials[p]) is None for p in children):
                bar = self.host.named(bar, node)
        for parameter in children:
            child = bound[parameter]
            partial = self.partial(rule, parameter, node, bound)
            if partial is not None and number(partial) != 0:
                self._to_operand(rule, node, child, partial, bar, bound, text.partials[parameter])

    @functools.cached_property
    def _has_edges(self) -> bool:
        """Does the program take a square root, or anything else whose slope may be infinite?"""
        specs = self.host.program.specs.values()
        if any(getattr(f, "__name__", "") in EDGES for s in specs for f in s.facts.resolved.values()):
            return True
        return any(is_root(n) for s in specs for n in s.facts.types)

    def _drops(self, rule: Rule, partial: gast.expr, bound: dict[str, gast.expr], template: gast.expr) -> bool:
        """May it drop entries of an adjoint that is infinite there: np.sqrt(np.maximum(x, 0)), np.sqrt(x * (x > 0))?"""
        if not self._has_edges or number(partial) is not None:
            return False
        bools = [p for p in reads(template) if p in bound and self.host.type_of(bound[p]).dtype == "bool"]
        return rule.name in CHOOSING or rule.name in ("mul", "multiply") and bool(bools)

    def _same_leaf(self, a: gast.expr, b: gast.expr) -> bool:
        """Is this x * x for a variable x?"""
        return (is_variable(a) or self.host.is_part(a)) and gast.dump(a) == gast.dump(b) and self.host.cheap(a)

    def partial(self, rule: Rule, parameter: str, node: gast.expr, bound: dict[str, gast.expr]) -> gast.expr | None:
        text = rule.text
        special = self._literal_power(rule, parameter, node, bound)
        if special is not None:
            return special
        template = text.partials[parameter]
        used = reads(template)
        values: dict[str, gast.expr] = {p: self.host.operand(bound[p]) for p in text.parameters if p in bound and p in used}
        for parameter_name in text.parameters:
            if parameter_name in used and parameter_name not in values and parameter_name in text.defaults:
                values[parameter_name] = text.defaults[parameter_name]
        if text.results[0] in used:
            values[text.results[0]] = self.host.result(node, only=used <= {text.results[0], "np", "math"})
        return substituted([template], values)[0]

    def _literal_power(
        self, rule: Rule, parameter: str, node: gast.expr, bound: dict[str, gast.expr]
    ) -> gast.expr | None:
        if rule.name != "pow" or parameter != rule.text.parameters[0]:
            return None
        base, exponent = (bound[p] for p in rule.text.parameters[:2])
        value = number(exponent)
        if value == 0.5 and self.host.type_of(node).dtype:
            return expression("0.5 / z", z=self.host.result(node, only=True)) if self.host.type_of(node).kind == "array" else None
        return power(self.host.operand(base), value) if value is not None else None

    def _conjugated(self, rule: Rule, partial: gast.expr, node: gast.expr, bound: dict[str, gast.expr]) -> gast.expr:
        """The adjoint of a complex function multiplies by the conjugate: df = Re(conj(g) dz)."""
        if rule.conjugates:
            return partial
        if number(partial) is not None or not self.host.is_complex(node):
            return partial
        if isinstance(partial, gast.Constant) and isinstance(partial.value, complex):
            return constant(partial.value.conjugate())
        imaginary = _is_imaginary(partial)
        of_result = any(r in reads(p) for r in rule.text.results for p in rule.text.partials.values())
        real = not (imaginary or rule.may_turn or of_result or any(self.host.is_complex(b) for b in bound.values()))
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
        guarded = number(partial) is None and (self._is_guarded(rule, node, bound) or self._reads_gaps(rule, node, template))
        partial = self._conjugated(rule, partial, node, bound)
        if number(partial) == 1.0:
            new = Bar(bar.text, bar.spread, bar.whole, bar.fresh and not bar.spread)
        elif self._sums_vectors(child, node, bar) and not guarded and (one := self._factor(rule, template, node, bound)):
            vector, rest = one
            self.host.pass_on(child, Bar(scaled(dotted(clone(bar.text), vector), rest)), node)
            return
        else:
            new = _times(bar, partial, guarded, full, self._drops(rule, partial, bound, template))
        if (self.host.is_complex(node) or _is_imaginary(partial)) and not self.host.is_complex(child):
            new = Bar(call("np.real", new.spelled_out()), fresh=False)
        elif number(partial) == 1.0 and is_variable(child) and self.host.is_complex(child) and not self.host.is_complex(node):
            new = Bar(gast.BinOp(new.spelled_out(), gast.Add(), constant(0j)), fresh=True)  # more may be added to it
        if not self._fills(child, node, bound):
            new = self._reduced(new, child, node)
        self.host.pass_on(child, new, node)

    def _is_guarded(self, rule: Rule, node: gast.expr, bound: dict[str, gast.expr]) -> bool:
        """May an adjoint that is zero because something is absent meet a partial derivative without bound?"""
        guards = self.host.guards
        if not rule.singular:
            return False
        if is_product(rule, bound):
            return guards == "masked" and self.host.type_of(node).kind not in SCALARS
        return guards == "masked" or guards == "untaken" and self.host.meets_zero

    def _reads_gaps(self, rule: Rule, node: gast.expr, template: gast.expr) -> bool:
        """Does a partial derivative read the result of np.tanh(x, where=mask), which is anything where the mask is not?"""
        left_out = isinstance(node, gast.Call) and any(k.arg == "where" for k in node.keywords)
        return left_out and rule.text.results[0] in reads(template)

    def _sums_vectors(self, child: gast.expr, node: gast.expr, bar: Bar) -> bool:
        """Is the adjoint of a number the sum of a vector's entries?"""
        vector = self.host.type_of(node).rank == 1 and not self.host.is_complex(node) and not bar.spread
        return vector and self.host.type_of(child).shape == ()

    def _factor(
        self, rule: Rule, template: gast.expr, node: gast.expr, bound: dict[str, gast.expr]
    ) -> tuple[gast.expr, gast.expr] | None:
        """A partial derivative as a vector that fills the result times a number: -z / y → (z, -1.0 / y)."""
        nodes = {**bound, rule.text.results[0]: node}
        names = [n.id for n in every_node(template) if isinstance(n, gast.Name)]
        vectors = [n for n in names if n not in nodes or self.host.type_of(nodes[n]).shape != ()]
        if len(vectors) != 1 or vectors[0] not in nodes or not is_factor(template, vectors[0]):
            return None
        vector = nodes[vectors[0]]
        if vector is not node and not self._fills(vector, node, {"": vector}):
            return None
        values = {n: self.host.operand(nodes[n]) for n in names if n != vectors[0]}
        text = self.host.result(node) if vector is node else self.host.operand(vector)
        return text, substituted([template], {**values, vectors[0]: constant(1.0)})[0]

    def _fills(self, child: gast.expr, node: gast.expr, bound: dict[str, gast.expr]) -> bool:
        """Has an operand the shape of the elementwise result, whatever the arguments?"""
        whole, part = self.host.type_of(node).shape, self.host.type_of(child).shape
        if covers(part, whole):
            return True
        own = gast.dump(child)
        return all(self.host.type_of(b).shape == () for b in bound.values() if gast.dump(b) != own)

    def _reduced(self, bar: Bar, child: gast.expr, node: gast.expr) -> Bar:
        """Undo broadcasting: the sum over the entries that the operand was repeated for."""
        part = self.host.type_of(child).shape
        text = bar.spelled_out()
        positive = without_sign(text)
        if positive is not None:
            return Bar(negated(self._total(positive, part, child, node)), fresh=True)
        total = self._total(text, part, child, node)
        return Bar(total, fresh=not (isinstance(total.func, gast.Name) and total.func.id == "unbroadcast"))

    def _total(self, text: gast.expr, part: Dims, child: gast.expr, node: gast.expr) -> gast.Call:
        if part == ():
            return call("np.sum", text)
        axes = repeated_axes(part, self.host.type_of(node).shape)
        return call("unbroadcast", text, self.host.shape(child)) if axes is None else summed(text, *axes)


def _is_imaginary(partial: gast.expr) -> bool:
    """Does a complex number stand in it, as in that of np.imag?"""
    return any(isinstance(n, gast.Constant) and isinstance(n.value, complex) for n in every_node(partial))


def is_root(node: gast.AST) -> bool:
    """x ** 0.5, or x ** n, which may be one."""
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, gast.Pow):
        return False
    exponent = number(node.right)
    return exponent is None or 0 < exponent < 1


def _times(bar: Bar, partial: gast.expr, guarded: bool, full: bool, drops: bool) -> Bar:
    """The bar times a partial derivative, which is spread over the whole result only where it has to be."""

    def product(text: gast.expr) -> gast.expr:
        if drops:
            return call("masked_product", clone(partial), text)
        return call("masked_product", text, clone(partial)) if guarded else scaled(text, clone(partial))

    return Bar(product(clone(bar.text)), not full, None if full else lambda: product(bar.spelled_out()), True)
