"""The tangent of an expression, built from its operands' tangents upwards.

    y = np.sin(x) * k   →   sin_x = np.sin(x)
                            y_dot = x_dot * np.cos(x) * k + k_dot * sin_x
                            y = sin_x * k

A tangent has the shape of its value. What both the value and the tangent read is computed once, under a name.
"""

from typing import Any

import gast

from pullback.compiler.adjoint.algebra import added, number, scaled
from pullback.compiler.adjoint.bars import Bar
from pullback.compiler.adjoint.elementwise import MASKING
from pullback.compiler.adjoint.operands import constant_shape, is_variable
from pullback.compiler.analysis.arithmetic import OPERATORS
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value, broadcast, covers
from pullback.compiler.analysis.zeros import zeros_like
from pullback.compiler.ir.template import call, clone, constant, expression, name
from pullback.compiler.ir.walk import reads
from pullback.compiler.rules.language import Rule, rule_of
from pullback.compiler.rules.methods import ATTRIBUTES
from pullback.compiler.tangent.equations import Equations
from pullback.compiler.tangent.memory import is_fresh, may_copy
from pullback.compiler.tangent.values import Values

# slopes that are infinite only where an operand or the value is
PRODUCTS = ("mul", "multiply", "square", "truediv", "divide", "exp", "exp2", "expm1", "sinh", "cosh")


class Tangents(Values):
    """Tangents of the expressions of one statement at a time.

    Which rule a call, a method or an operator follows is looked up as for adjoints.
    """

    # -- tangents -----------------------------------------------------------------------------

    def dot(self, node: gast.expr) -> gast.expr | None:
        """The text of an expression's tangent; None where it is zero."""
        if not self.active(node):
            self.settle(node)
            return None
        if isinstance(node, gast.Name):
            return name(self.dot_name(node.id))
        method = getattr(self, f"_dot_{type(node).__name__}", None)
        if method is None:
            self.refuse(node, "cannot differentiate this expression",
                        f"An expression of this kind ({type(node).__name__}) has no tangent when active values go into it.",
                        "compute it from numbers, arrays and lists, one step a statement")
            return None
        return method(node)

    def part(self, node: gast.expr) -> gast.expr:
        """The tangent of something held by a container or passed on, zeros spelled out; memory as its value has it."""
        if isinstance(node, gast.Starred):
            return gast.Starred(self.part(node.value), gast.Load())
        text = self.dot(node)
        return self.zero(node) if text is None else self.owned(node, text)

    def zero(self, node: gast.expr) -> gast.expr:
        """Zeros for a value without tangent."""
        value = self.type_of(node)
        if isinstance(node, (gast.List, gast.Tuple)):
            parts = [self.part(e) for e in node.elts]
            return type(node)(parts, gast.Load())
        if isinstance(node, gast.Constant) and not isinstance(node.value, (int, float, complex)):
            return constant(None)
        if value.kind in SCALARS or number(node) is not None:
            return constant(0.0)
        if value.kind in ("none", "known", "function"):
            return constant(None)
        return zero_text(value, self.operand(node))

    def owned(self, node: gast.expr, text: gast.expr) -> gast.expr:
        """A tangent whose memory is shared exactly where the value's is, where somebody writes to either."""
        value = self.type_of(node)
        if value.kind not in ("array", "number") or not self._written(value, text):
            return text
        if self.is_view(node):
            return self._alike(node, text)
        if is_fresh(text):
            return gast.BinOp(text, gast.Add(), constant(0j)) if self.is_complex(node) else text
        if value.kind == "array" and self.is_complex(node):
            return gast.BinOp(text, gast.Add(), constant(0j))
        return self._copied(node, text)

    def own_part(self, value: Value, text: gast.expr) -> gast.expr:
        """The tangent of one of several results, of which none is a view."""
        held = value.kind in ("array", "number") and self._written(value, text) and not is_fresh(text)
        return self._copy_of(value, text) if held else text

    def _copied(self, node: gast.expr, text: gast.expr) -> gast.expr:
        return self._copy_of(self.type_of(node), text)

    def _copy_of(self, value: Value, text: gast.expr) -> gast.expr:
        return call("owned", text) if value.kind == "number" else expression(copy_text(value), x=text)

    def _written(self, value: Value, text: gast.expr) -> bool:
        if self.shadows.has(value):
            return True
        env = self.env()
        sources = [env[self.partners[n]] for n in reads(text) if self.partners.get(n) in env]
        return any(self.shadows.has(s) for s in sources)

    def is_view(self, node: gast.expr) -> bool:
        """May the value be memory of an operand, so that the tangent made in the same way shares likewise?"""
        if isinstance(node, (gast.Name, gast.Attribute, gast.Subscript)):
            return True
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and (
                self.type_of(node.func.value).kind in CONTAINERS):
            return True  # L.pop() is the element itself
        if isinstance(node, gast.Call):
            return node in self.spec.facts.calls or self.planner.views.is_view(node)
        return False

    def _alike(self, node: gast.expr, text: gast.expr) -> gast.expr:
        """Where NumPy decides between view and copy, the tangent follows the value."""
        base: Any = node
        asked = False
        while not self._is_whole(base):
            if isinstance(base, (gast.Attribute, gast.Subscript)):
                base = base.value
            elif isinstance(base, gast.Call) and base not in self.spec.facts.calls and self.planner.views.is_view(base):
                asked = asked or may_copy(self.spec.facts, base)
                base = self.planner.views.viewed(base)
            else:  # of a value that has no name: its tangent may be that of another
                kept = self.is_view(base) or is_fresh(text)
                return text if kept else self._copied(node, text)
        if not asked or not self.active(base):
            return text
        value = self.result(node)
        return call("shared_alike", text, self.dot(base), value, self.value(base))

    def _is_whole(self, node: gast.expr) -> bool:
        """Is it a variable, or a place in a container?"""
        part = isinstance(node, (gast.Attribute, gast.Subscript))
        return isinstance(node, gast.Name) or part and not self.type_of(node.value).numeric  # type: ignore[attr-defined]

    # -- places and displays ------------------------------------------------------------------

    def _dot_Attribute(self, node: gast.Attribute) -> gast.expr | None:
        base = self.type_of(node.value)
        if base.numeric and node.attr not in ATTRIBUTES and node.attr != "flat":
            self.refuse(node, f"cannot differentiate the attribute `{node.attr}`", "It has no derivative rule.",
                        "compute it with functions that have rules")
            return None
        inner = self.dot(node.value)
        if inner is None:
            return None
        if base.kind in SCALARS:
            return inner if node.attr in ("T", "real") and not self.is_complex(node.value) else call(f"np.{node.attr}", inner)
        if node.attr in ("real", "imag"):
            return call(f"np.{node.attr}", inner)
        return gast.Attribute(inner, node.attr, gast.Load())

    def _dot_Subscript(self, node: gast.Subscript) -> gast.expr | None:
        inner = self.dot(node.value)
        self.settle_index(node.slice)
        return None if inner is None else gast.Subscript(inner, self.value(node.slice), gast.Load())

    def place(self, target: Any) -> gast.expr:
        """The part of the tangent that goes with a part of a variable: p["w"][i] → p_dot["w"][i]."""
        inner = self.dot(target.value)
        if inner is None:
            inner = self.zero(target.value)
        if isinstance(target, gast.Attribute):
            return gast.Attribute(inner, target.attr, gast.Store())
        self.settle_index(target.slice)
        return gast.Subscript(inner, self.value(target.slice), gast.Store())

    def _dot_Starred(self, node: gast.Starred) -> gast.expr:
        return gast.Starred(self.part(node.value), gast.Load())

    def _dot_List(self, node: Any) -> gast.expr:
        return type(node)([self.part(e) for e in node.elts], gast.Load())

    _dot_Tuple = _dot_List

    def _dot_Dict(self, node: gast.Dict) -> gast.expr:
        keys = []
        for key in node.keys:
            if key is not None:
                keys.append(self.operand(key))
            else:
                keys.append(None)
        return gast.Dict(keys, [self.part(v) for v in node.values])

    # -- operations ---------------------------------------------------------------------------

    def _dot_BinOp(self, node: gast.BinOp) -> gast.expr | None:
        kinds = (self.type_of(node.left).kind, self.type_of(node.right).kind)
        if kinds[0] in ("list", "tuple") and kinds[1] == kinds[0] and isinstance(node.op, gast.Add):
            return gast.BinOp(self.part(node.left), gast.Add(), self.part(node.right))
        if isinstance(node.op, gast.Mult) and {"list", "tuple"} & set(kinds) and {"int", "bool"} & set(kinds):
            parts = [self.part(e) if self.type_of(e).kind in ("list", "tuple") else self.operand(e)
                     for e in (node.left, node.right)]
            return gast.BinOp(parts[0], gast.Mult(), parts[1])
        if {"list", "tuple", "dict"} & set(kinds):
            self.refuse(node, "cannot differentiate this sequence operation",
                        "An operator on lists or tuples of active values has no tangent here.",
                        "build the list with append in a loop, or use arrays")
            return None
        self._apply(OPERATORS[type(node.op)], node, [node.left, node.right], {}, UNUSED)
        return self._made

    def _dot_UnaryOp(self, node: gast.UnaryOp) -> gast.expr | None:
        self._apply(OPERATORS[type(node.op)], node, [node.operand], {}, UNUSED)
        return self._made

    def _dot_Call(self, node: gast.Call) -> gast.expr | None:
        fact = self.spec.facts.calls.get(node)
        if fact is not None:
            return self.inner_call(node, fact)
        if self.planner.containers.constructed(node) is not None:
            return self._constructed(node)
        function = self.spec.facts.resolved.get(node)
        base = self.type_of(node.func.value).kind if isinstance(node.func, gast.Attribute) else ""
        if base in CONTAINERS and rule_of(function) is None:  # a function kept in a field has a rule
            return self.container_method(node)
        if function in (list, tuple) and len(node.args) == 1 and not node.keywords:
            return gast.Call(clone(node.func), [self.part(node.args[0])], [])
        self._made = None
        self._push_Call(node, UNUSED)
        text = self._made
        if function is float and self.type_of(node.args[0]).kind not in SCALARS and text is not None:
            return call("float", text)
        return text

    def _constructed(self, node: gast.Call) -> gast.expr:
        """Pair(a, right=b) → Pair(a_dot, right=b_dot); of any other object the tangent is a Shadow."""
        keywords = [gast.keyword(k.arg, self.part(k.value)) for k in node.keywords]
        if self.type_of(node).kind in ("object", "tuple"):  # with the fields that have defaults
            fields = self.planner.containers.constructed(node) or {}
            made = name("Shadow") if self.type_of(node).kind == "object" else clone(node.func)
            return gast.Call(made, [], [gast.keyword(f, self.part(v)) for f, v in fields.items()])
        return gast.Call(clone(node.func), [self.part(a) for a in node.args], keywords)

    def container_method(self, node: gast.Call) -> gast.expr | None:
        """d.get(k, e), L.copy(), p._replace(a=e): the same on the tangents."""
        assert isinstance(node.func, gast.Attribute)
        base, method = node.func.value, node.func.attr
        inner = self.part(base)
        function = gast.Attribute(inner, method, gast.Load())
        if method in ("copy", "values"):
            return gast.Call(function, [], [])
        if method == "_replace":
            return gast.Call(function, [], [gast.keyword(k.arg, self.part(k.value)) for k in node.keywords])
        if method in ("get", "setdefault") and node.args and not node.keywords:
            default = [self.part(a) for a in node.args[1:]] or [constant(None)]
            return gast.Call(function, [self.operand(node.args[0]), *default], [])
        if method == "pop" and not node.keywords:
            position = [self.operand(a) for a in node.args[:1]]
            return gast.Call(function, [*position, *(self.part(a) for a in node.args[1:])], [])
        self.refuse(node, f"cannot follow the method `{method}` here",
                    "The tangent of what it returns is not known.", "use indices, append and loops")
        return None

    def _cast(self, node: gast.Call, base: gast.expr, bar: Bar) -> None:
        text = self.dot(base)
        dtype = self.type_of(node).dtype
        if text is not None and dtype and dtype != self.type_of(base).dtype and self.type_of(base).kind == "array":
            text = gast.Call(gast.Attribute(text, "astype", gast.Load()), [self.operand(a) for a in node.args[:1]], [])
        self._made = text

    def _entries(self, source: gast.expr, bar: Bar, node: gast.Call) -> None:
        """np.array([x, 1.0]) → np.array([x_dot, 0.0])."""
        keywords = [gast.keyword(k.arg, self.operand(k.value)) for k in node.keywords]
        arguments = [self.part(source), *(self.operand(a) for a in node.args[1:])]
        self._made = gast.Call(clone(node.func), arguments, keywords)

    def _apply(self, function: Any, node: gast.expr, arguments: list[gast.expr], keywords: dict[str, gast.expr],
               bar: Bar) -> None:
        self._made = None
        self._matched = None
        found = self.rule_for(function, node, arguments, keywords)
        if found is None:
            return
        rule, bound = found
        mixed = any(self.is_complex(b) for b in bound.values()) and not self.is_complex(node)
        dots: dict[gast.AST, gast.expr | None] = {a: self.dot(a) for a in [*arguments, *keywords.values()]}
        named = {p: dots[a] if a in dots else self.dot(a) for p, a in bound.items()}
        if node is self.whole:
            self._read_by_dots = {n for d in named.values() if d is not None for n in reads(d)}
        if self._only_match and node is self.whole:
            self._matched = rule, bound, named
            return
        if rule.form == "elementwise":
            made = self._slopes(rule, node, bound, named, mixed, function)
        else:
            made = Equations(self, rule, node, bound, named).tangent()
        self._made = made

    def matched(self, node: gast.Call) -> tuple[Rule | None, dict[str, gast.expr], dict[str, gast.expr | None]]:
        """The rule of a call with several results, with the arguments and their tangents by its parameters."""
        self.whole, self._only_match = node, True
        self._push_Call(node, UNUSED)
        self._only_match = False
        return self._matched or (None, {}, {})

    def _slopes(self, rule: Rule, node: gast.expr, bound: dict[str, gast.expr], dots: dict[str, gast.expr | None],
                mixed: bool, function: Any) -> gast.expr | None:
        """Σ x_dot * ∂f/∂x, in the shape of the result."""
        text = rule.text
        active = [p for p in text.parameters if p in text.partials and dots.get(p) is not None]
        self._target_free = len(active) == 1 and self.target not in reads(dots[active[0]])  # type: ignore[arg-type]
        terms: list[gast.expr] = []
        read: set[str] = set()
        for parameter in active:
            partial = self.elementwise.partial(rule, parameter, node, bound)
            if partial is None or number(partial) == 0:
                continue
            named = reads(text.partials[parameter]) if number(partial) is None else set()
            read |= {parameter} | (set(bound) if text.results[0] in named else named & set(bound))
            dot = dots[parameter]
            assert dot is not None
            terms.append(self._term(rule, node, bound, dot, partial, mixed, getattr(function, "__name__", "")))
        if not terms:
            return None
        return self.filled(node, bound, read, added(terms))

    def _term(self, rule: Rule, node: gast.expr, bound: dict[str, gast.expr], dot: gast.expr, partial: gast.expr,
              mixed: bool, function: str) -> gast.expr:
        if mixed:  # a real function of a complex number: df = Re(conj(g) dz)
            if number(partial) == 1.0:
                return call("np.real", dot)
            if isinstance(partial, gast.Constant) and partial.value == 1j:
                return call("np.imag", dot)
            return call("np.real", gast.BinOp(call("np.conj", partial), gast.Mult(), dot))
        if number(partial) is not None:
            return scaled(dot, partial)
        if function in MASKING:
            return call("masked_product", partial, dot)
        product = rule.name in PRODUCTS or (rule.name == "pow" and (number(bound[rule.text.parameters[1]]) or 0) >= 1)
        scalar = self.type_of(node).kind in SCALARS
        if rule.singular and (self.guards == "masked" and not scalar if product else bool(self.guards)):
            return call("masked_product", dot, partial)
        return scaled(dot, partial)

    def filled(self, node: gast.expr, bound: dict[str, gast.expr], read: set[str], text: gast.expr) -> gast.expr:
        """A tangent that reads only some operands may have to be spread to the shape of the result."""
        shapes = {p: self.type_of(b).shape for p, b in bound.items() if not (
            isinstance(b, gast.Constant) or self.type_of(b).kind in (*SCALARS, "none"))}
        if self.type_of(node).shape == () or set(shapes) <= read:
            return text
        have: Any = ()
        for parameter in sorted(read & set(shapes)):
            have = broadcast(have, shapes[parameter])
        if covers(have, self.type_of(node).shape):
            return text
        return self.spread(node, text, bound)

    def spread(self, node: gast.expr, text: gast.expr, bound: dict[str, gast.expr]) -> gast.expr:
        """The tangent repeated as broadcasting repeated its operand."""
        whole = self.type_of(node).shape
        for operand in bound.values():
            if whole is not None and is_variable(operand) and operand.id != self.target and covers(  # type: ignore[attr-defined]
                    self.type_of(operand).shape, whole):
                return call("np.broadcast_to", text, self.shape(operand))
        if whole is not None and all(isinstance(d, int) for d in whole):
            return call("np.broadcast_to", text, constant_shape(whole))
        return call("np.broadcast_to", text, call("np.shape", self.result(node)))


UNUSED = Bar(constant(0.0))


def copy_text(value: Value) -> str:
    """The text that copies an array x, its memory layout included: by that NumPy decides what is a view of it."""
    return "x.copy()" if value.rank == 1 else "x.copy('K')"


def zero_text(value: Value, text: gast.expr) -> gast.expr:
    """Zeros in the form of a value of this type."""
    if value.kind in SCALARS:
        return constant(0.0)
    if value.kind in ("none", "known", "function"):
        return constant(None)
    if value.kind == "array":
        return zeros_like(value, text)
    return call("zero_tangent", text)
