"""A rule's tangent equations at a call: parameters become the arguments, terms of inert operands disappear.

    c_dot = a_dot @ b + a @ b_dot   at   w @ h, h inert   →   w_dot @ h
"""

import inspect
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from pullback.compiler.adjoint.algebra import negated, scaled
from pullback.compiler.adjoint.instantiate import UNKNOWN, Instance
from pullback.compiler.adjoint.shapes import Shapes
from pullback.compiler.analysis.values import SCALARS
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.template import assign, clone, constant, name, with_own_names
from pullback.compiler.ir.walk import every_node, reads
from pullback.compiler.rules.language import Rule

if TYPE_CHECKING:
    from pullback.compiler.tangent.expressions import Tangents

# rules whose every term has the shape of the result
FULL = ("matmul", "dot", "inner", "vdot", "outer", "tensordot", "kron", "cross", "vecdot", "matvec", "vecmat", "convolve",
        "correlate", "fftconvolve", "polyval", "solve", "solve_triangular", "solve_banded", "cho_solve", "lstsq",
        "solve_sylvester", "solve_continuous_lyapunov", "solve_discrete_lyapunov", "tensorsolve", "lfilter", "khatri_rao")
INERT_CALLS = ("np.shape", "len", "np.ndim", "np.size", "np.zeros_like", "np.ones_like")


class Equations(Instance):
    """One use of an @rule in forward mode: its tangent equations with the call's operands in place."""

    def __init__(self, host: "Tangents", rule: Rule, node: gast.expr, bound: dict[str, gast.expr],
                 dots: dict[str, gast.expr | None]) -> None:
        self.host: Any = host
        self.rule = rule
        self.text = rule.text
        self.node = node
        self.bound = bound
        self.dots = {f"{p}_dot": d for p, d in dots.items()}
        self.locals: dict[str, Any] = {}
        self.results: dict[str, gast.expr | None] = {}
        self.moving: set[str] = set()  # locals that depend on a tangent
        self.narrow = False  # was a term left out that might have given the result its shape?
        self.spelled = False  # are zeros to be spelled out, as tests wait for run time?

    def tangent(self) -> gast.expr | None:
        """The tangent of the one result; None where it is zero."""
        if len(self.text.results) > 1:
            self.host.refuse(self.node, f"cannot tell the results of `{self.rule.name}` apart",
                             "How many there are depends on an argument that is not known here.", "pass it as a literal")
            return None
        found = self._run([self.text.results[0]])
        text = found[0] if found is not None else None
        if text is not None and self.rule.name == "where":
            read = {"condition", *(p for p in self.bound if self.dots.get(f"{p}_dot") is not None)}
            return self.host.filled(self.node, self.bound, read, text)
        if text is None or not self.narrow or self.rule.name in FULL or self.host.type_of(self.node).shape == ():
            return text
        return self.host.spread(self.node, text, {})

    def tangents(self, values: list[str]) -> list[gast.expr | None] | gast.expr | None:
        """The tangents of several results, which the variables `values` hold: one by one, or a sequence of them."""
        self.results = {f"value {i}": name(v) for i, v in enumerate(values)}
        found = self._run(list(self.text.results))
        if found is None or len(self.text.results) > 1:
            return found
        return found[0]

    def _run(self, results: list[str]) -> list[gast.expr | None] | None:
        if not self.text.tangent:
            self.host.refuse(self.node, f"the rule of `{self.rule.name}` states no tangent",
                             "It can be differentiated in reverse mode alone.", "use grad or vjp, or state the tangent in the rule")
            return None
        self._name_repeated()
        wanted = [f"{r}_dot" for r in results]
        statements = [with_own_names(s, self.host.names.taken) for s in self._settled(list(self.text.tangent))]
        for i, s in enumerate(statements):
            self._statement_of(s, statements[i + 1:], wanted)
        return [self.locals.get(w) for w in wanted]

    def _name_repeated(self) -> None:
        """A tangent that the equations read more than once is computed once."""
        for dot, text in self.dots.items():
            if text is not None and not isinstance(text, (gast.Name, gast.List, gast.Tuple, gast.Constant)) and sum(
                    isinstance(n, gast.Name) and n.id == dot for s in self.text.tangent for n in every_node(s)) > 1:
                self.dots[dot] = self._held(dot, text)

    def _held(self, wish: str, text: gast.expr) -> gast.expr:
        held = self.host.names.fresh(wish)
        self.host.before.append(assign(held, text))
        return name(held)

    # -- statements ---------------------------------------------------------------------------

    def _settled(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Branches that the types decide are taken; the others stay."""
        done: list[gast.stmt] = []
        for s in body:
            outcome = self._decide(s.test) if isinstance(s, gast.If) else UNKNOWN
            if isinstance(s, gast.If) and outcome is not UNKNOWN:
                done += self._settled(s.body if outcome else s.orelse)
            else:
                done.append(s)
        return done

    def _statement_of(self, s: gast.stmt, later: list[gast.stmt], wanted: list[str]) -> None:
        target = s.targets[0] if isinstance(s, gast.Assign) else None
        if isinstance(target, gast.Name):
            text = self._formula(s.value)  # type: ignore[attr-defined]
            used = any(target.id in reads(x) for x in later)
            if text is not None and used and not isinstance(text, (gast.Name, gast.Constant)):
                text = self._held(target.id, text)
            self._note(target.id, s.value, text)  # type: ignore[attr-defined]
        elif isinstance(target, gast.Tuple):
            names = [self.host.names.fresh(e.id) for e in target.elts]  # type: ignore[attr-defined]
            text = self._formula(s.value)  # type: ignore[attr-defined]
            if text is not None:
                self.host.before.append(gast.Assign([gast.Tuple([name(n, store=True) for n in names], gast.Store())], text, None))
            for e, n in zip(target.elts, names):
                self._note(e.id, s.value, None if text is None else name(n))  # type: ignore[attr-defined]
        else:
            self.host.before += self._at_run_time(s)

    def _note(self, variable: str, template: gast.expr, text: gast.expr | None) -> None:
        self.locals[variable] = text
        read = reads(template)
        moves = text is not None and (read & self.moving or any(self.dots.get(n) is not None for n in read))
        self.moving = self.moving | {variable} if moves else self.moving - {variable}

    def _at_run_time(self, s: gast.stmt) -> list[gast.stmt]:
        """A branch or loop of the equations that the types do not settle, written out."""
        if isinstance(s, gast.If) and self._all_zero(s) and all(
                isinstance(x, gast.Assign) and self._all_zero(x.value) for x in [*s.body, *s.orelse]):
            self.locals |= {x.targets[0].id: None for x in [*s.body, *s.orelse]}  # type: ignore[attr-defined]
            return []
        self.spelled = True
        for variable in sorted({n.id for n in every_node(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}):
            held = self.locals.get(variable)
            fresh = self.host.names.fresh(variable)
            if variable in self.locals:
                self.host.before.append(assign(fresh, held if held is not None else constant(0.0)))
            self.locals[variable] = name(fresh)
        return [self._written(s)]

    def _written(self, s: Any) -> gast.stmt:
        if isinstance(s, gast.If):
            test = self._text_of(s.test)
            return gast.If(test, [self._written(x) for x in s.body], [self._written(x) for x in s.orelse])
        if isinstance(s, gast.For):
            target = name(self.locals[s.target.id].id, store=True)  # type: ignore[attr-defined]
            return gast.For(target, self._text_of(s.iter), [self._written(x) for x in s.body], [], None)
        return assign(self.locals[s.targets[0].id].id, self._text_of(s.value))

    def _decide(self, test: gast.expr) -> Any:
        """Also tests of the form `trans in (0, "N")`."""
        if isinstance(test, gast.Compare) and isinstance(test.ops[0], gast.In):
            left, right = self.constant_of(test.left), self.constant_of(test.comparators[0])
            return UNKNOWN if UNKNOWN in (left, right) or not isinstance(left, (int, str)) else left in right
        return super()._decide(test)

    def constant_of(self, node: gast.expr) -> Any:
        """Also the number of arguments that a vararg took."""
        rest = self.bound.get(self.text.vararg or "")
        if isinstance(node, gast.Call) and printed(node).strip() == f"len({self.text.vararg})" and isinstance(rest, gast.Tuple):
            return len(rest.elts)
        return super().constant_of(node)

    # -- formulas -----------------------------------------------------------------------------

    def _text_of(self, template: gast.expr) -> gast.expr:
        """A formula with zeros spelled out."""
        text = self._formula(template)
        return constant(0.0) if text is None else text

    def _formula(self, template: Any) -> Any:
        """The template with operands, results and tangents in place; None where it is zero."""
        shapes = Shapes(self)
        tree = shapes.visit(clone(template))
        self.placed = shapes.found
        return self._of(tree)

    def _of(self, t: Any) -> Any:
        method = getattr(self, f"_of_{type(t).__name__}", None)
        return method(t) if method is not None else self._generic(t)

    def _generic(self, t: Any) -> Any:
        if isinstance(t, list):
            return [self._of_part(x) for x in t]
        if not isinstance(t, gast.AST):
            return t
        new = t.__class__.__new__(t.__class__)
        for key, child in t.__dict__.items():
            setattr(new, key, self._of_part(child) if isinstance(child, (gast.AST, list)) else child)
        return new

    def _of_part(self, t: Any) -> Any:
        """As part of something that cannot do without it, a zero is spelled out."""
        text = self._of(t)
        if text is not None:
            return text
        return self._zero(t)

    def _zero(self, t: Any) -> gast.expr:
        if isinstance(t, gast.IfExp):
            outcome = self._decide(t.test)
            return constant(0.0) if outcome is UNKNOWN else self._of_part(t.body if outcome else t.orelse)
        parameter = t.id[:-4] if isinstance(t, gast.Name) else ""
        operand = self.bound.get(parameter)
        if operand is None:
            return constant(0.0)
        if self.rule.name == "where" or self.host.type_of(operand).kind in SCALARS:
            return constant(0.0)
        return self.host.zero(operand)

    def _of_Name(self, t: gast.Name) -> Any:
        if t.id in self.placed:
            return clone(self.placed[t.id])
        if t.id in self.locals:
            return clone(self.locals[t.id])
        if t.id in self.dots:
            dot = self.dots[t.id]
            return self._zero(t) if dot is None and self.spelled else clone(dot)
        if t.id in self.text.results:
            return self._result_of(self.text.results.index(t.id))
        if t.id in self.bound:
            return self.host.operand(self.bound[t.id])
        if t.id in self.text.defaults:
            return clone(self.text.defaults[t.id])
        if t.id.endswith("_dot") and t.id[:-4] in (*self.text.parameters, *self.text.keywords, self.text.vararg):
            return constant(0.0) if self.spelled else None
        if t.id == self.text.vararg:
            return gast.Tuple([], gast.Load())
        return clone(t)

    def _result_of(self, i: int) -> gast.expr:
        if not self.results:
            return self.host.result(self.node)
        if len(self.text.results) == 1:
            return gast.List([clone(v) for v in self.results.values()], gast.Load())
        return clone(self.results[f"value {i}"])

    def _of_BinOp(self, t: gast.BinOp) -> Any:
        left, right = self._of(t.left), self._of(t.right)
        if isinstance(t.op, (gast.Add, gast.Sub)):
            if left is not None and right is not None:
                return gast.BinOp(left, t.op, right)
            if (left is None) != (right is None) and self._given(t.left if left is None else t.right):
                self.narrow = True
            return left if right is None else right if isinstance(t.op, gast.Add) else negated(right)
        if left is None or right is None:
            return None
        if isinstance(t.op, gast.Mult) and isinstance(right, gast.Name):
            return scaled(right, left) if _is_number(left) else gast.BinOp(left, t.op, right)
        return gast.BinOp(left, t.op, right)

    def _given(self, t: gast.expr) -> bool:
        """Does a term that was left out belong to an argument of the call?"""
        return any(n[:-4] in self.bound for n in reads(t) if n.endswith("_dot"))

    def _of_UnaryOp(self, t: gast.UnaryOp) -> Any:
        inner = self._of(t.operand)
        return None if inner is None else gast.UnaryOp(t.op, inner)

    def _of_IfExp(self, t: gast.IfExp) -> Any:
        outcome = self._decide(t.test)
        if outcome is not UNKNOWN:
            return self._of(t.body if outcome else t.orelse)
        return None if self._of(t.body) is None and self._of(t.orelse) is None else self._generic(t)

    def _of_Subscript(self, t: gast.Subscript) -> Any:
        base = self._of(t.value)
        if base is None:
            return None
        index = self._of_part(t.slice)
        if isinstance(base, (gast.Tuple, gast.List)) and isinstance(index, gast.Constant) and index.value in range(len(base.elts)):
            return base.elts[index.value]
        return gast.Subscript(base, index, t.ctx)

    def _of_Attribute(self, t: gast.Attribute) -> Any:
        base = self._of(t.value)
        return None if base is None else gast.Attribute(base, t.attr, t.ctx)

    def _of_Starred(self, t: gast.Starred) -> Any:
        inner = self._of(t.value)
        return None if inner is None else gast.Starred(inner, gast.Load())

    def _of_Call(self, t: gast.Call) -> Any:
        """A call is linear in the tangents it reads: zero where all of them are."""
        spelled = printed(t.func).strip()
        if spelled not in INERT_CALLS and self._all_zero(t):
            return None
        if spelled == "np.where" and self.constant_of(t.args[0]) is True:
            return self._of(t.args[1])
        function = self._of(t.func)
        arguments, keywords = self._shortened(t)
        return gast.Call(function, [self._of_part(a) for a in arguments],
                         [gast.keyword(k.arg, self._of_part(k.value)) for k in keywords])

    def _all_zero(self, t: gast.AST) -> bool:
        known = {**self.dots, **{k: v for k, v in self.locals.items() if v is None}}
        known |= {f"{p}_dot": None for p in (*self.text.parameters, *self.text.keywords, self.text.vararg)
                  if f"{p}_dot" not in known}
        read = [n.id for n in every_node(t) if isinstance(n, gast.Name)]
        found = [n for n in read if n in known]
        return bool(found) and not self.spelled and all(known[n] is None for n in found) and not self.moving & set(read)

    # -- defaults -----------------------------------------------------------------------------

    def _shortened(self, t: gast.Call) -> tuple[list[gast.expr], list[gast.keyword]]:
        """np.sum(a_dot, axis, keepdims=keepdims) without the arguments that were left at their defaults."""
        defaults = _defaults(self.rule, t.func)
        arguments, keywords = list(t.args), [k for k in t.keywords if not self._is_default(k.value, defaults.get(k.arg))]
        order = list(defaults)
        while arguments and len(arguments) <= len(order) and not any(isinstance(a, gast.Starred) for a in arguments) and (
                self._is_default(arguments[-1], defaults[order[len(arguments) - 1]])):
            arguments.pop()
        return arguments, keywords

    def _is_default(self, node: gast.expr, default: Any) -> bool:
        if not isinstance(node, gast.Name) or node.id in self.bound or node.id not in self.text.defaults or default is None:
            return False
        text = self.text.defaults[node.id]
        if default[0] is np._NoValue:
            return True
        value = self.constant_of(text)
        return value is not UNKNOWN and type(value) is type(default[0]) and bool(value == default[0])


def _is_number(node: Any) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, (int, float))


def _defaults(rule: Rule, function: gast.expr) -> dict[Any, Any]:
    """Parameter → (default,) or None of the function that a template calls; {} where that cannot be told."""
    parts: list[str] = []
    node: Any = function
    while isinstance(node, gast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, gast.Name) or node.id not in rule.function.__globals__:
        return {}
    thing = rule.function.__globals__[node.id]
    for part in reversed(parts):
        thing = getattr(thing, part, None)
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):  # some C functions tell nothing
        return {}
    return {p.name: (p.default,) if p.default is not p.empty else None for p in parameters}
