"""Abstract values of derivatives along a direction, inside programs.

    jvp(g, (x,), (v,))    →   g_tangent(x, k, v), where g captures k
    vjp(g, x)             →   (g(x), lambda bar: g_pull(x, k, bar)), of x and k as they are now
"""

from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.analysis.binding import default_objects, default_texts
from pullback.compiler.analysis.derivatives import Asked
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import BOTTOM, OPAQUE, SCALARS, Value
from pullback.compiler.frontend.derivatives import FAMILY, RESULT_BAR
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import constant, expression, name
from pullback.compiler.ir.walk import computes


class Products(Part):
    """The transfer function of `jvp` and `vjp`."""

    def product(self, node: gast.Call, env: Env) -> Value | None:
        """The value of a call of one of them, or of what the meaning of `vjp` calls; None of any other call."""
        pulled = node.func.value if isinstance(node.func, gast.Subscript) else None
        if isinstance(pulled, gast.Call) and not any(map(computes, node.args)):
            pulled.at_once = True  # vjp(g, x)[1](bar): nothing that g captures is written in between
        if isinstance(node.func, gast.Name):
            known = self.interpreter.expressions.named(node.func, env).known
            asked = self.program.pulls.get(known.value) if known is not None and callable(known.value) else None
            if asked is not None:
                return self._pulled(asked, node, env)
        word = self.interpreter.derivatives.word(node, env)
        if word not in ("jvp", "vjp") or not node.args:
            return None
        every = [self.value(a, env) for a in [*node.args, *(k.value for k in node.keywords)]]
        if not any(self.varied(v) for v in every):
            return self.unknown(node, *every)
        return self._jvp(node, env) if word == "jvp" else self._vjp(node, env)

    # -- forward --------------------------------------------------------------------------------

    def _jvp(self, node: gast.Call, env: Env) -> Value:
        derivatives = self.interpreter.derivatives
        given = {"args": None, "tangents": None} | {k.arg: k.value for k in node.keywords}
        function, arguments, tangents = [*node.args, given["args"], given["tangents"]][:3]
        items = [self.known_items(self.value(t, env)) if t is not None else None for t in (arguments, tangents)]
        if items[0] is None or items[1] is None or len(items[0]) != len(items[1]):
            derivatives.untaken(node, "The arguments and their tangents are not two tuples of one known length.")
            return OPAQUE
        count = len(items[0])
        if not derivatives.has_text(function, env):
            spelled = derivatives.unpartial(function, env)
            return self.meant(
                node, lambda: gast.Call(node.func, [derivatives.spelled_out(spelled, count), arguments, tangents], []), env, count
            )
        moving = [i for i, tangent in enumerate(items[1]) if tangent.kind != "none"]
        asked = derivatives.asked("jvp", function, gast.Tuple([constant(i) for i in moving], gast.Load()), env)
        if asked is None:
            return OPAQUE
        left = asked.code.parameters[count:]
        if left and isinstance(function, gast.Name) and set(left) <= {*default_texts(asked.code), *default_objects(asked.code)}:
            names = [self.fresh(p) for p in asked.code.parameters[:count]]
            fewer = self.interpreter.meanings.forwarding(function, [], names)
            return self.meant(node, lambda: gast.Call(node.func, [fewer, *node.args[1:]], node.keywords), env, count)
        every = [*asked.code.parameters, *asked.code.captured]
        values = derivatives.held(asked, env) | dict(zip(asked.code.parameters, items[0]))
        wrong = [p for p in asked.wrt if values[p].kind not in (*SCALARS, "array")]
        if len(asked.code.parameters) != count or wrong:
            derivatives.untaken(function, "It does not take just these arguments, or one that moves is no number or array.")
            return OPAQUE
        loaded = derivatives.compiled(asked, values, node)
        if loaded is None:
            return OPAQUE

        def build() -> gast.expr:
            held = {p: self.fresh("held") for p in every}
            texts = [expression(f"t[{i}]", t=arguments) for i in range(count)]
            texts += [derivatives.captured_as(p, asked, function) for p in asked.code.captured]
            bindings = [gast.NamedExpr(name(held[p], store=True), t) for p, t in zip(every, texts)]
            passed: list[gast.expr] = []
            for p in every:
                passed.append(name(held[p]))
                if p in loaded.dotted:
                    tangent = expression(f"t[{asked.code.parameters.index(p)}]", t=tangents)
                    form = "v + 0.0" if values[p].kind in SCALARS else "np.zeros_like(x) + v"
                    passed.append(expression(form, v=tangent, x=held[p]))
            out = self.fresh("out")
            bindings.append(gast.NamedExpr(name(out, store=True), gast.Call(self.given(loaded.function), passed, [])))
            tangent = self.interpreter.derivatives.restored(loaded.result, expression(f"{out}[1]"), expression(f"{out}[0]"))
            return Let(bindings, gast.Tuple([expression(f"{out}[0]"), tangent], gast.Load()))

        return self.meant(node, build, env, id(loaded.function))

    # -- reverse --------------------------------------------------------------------------------

    def _vjp(self, node: gast.Call, env: Env) -> Value:
        derivatives = self.interpreter.derivatives
        function, *rest = node.args
        wrt = next((k.value for k in node.keywords if k.arg == "wrt"), None)
        if not derivatives.has_text(function, env):
            spelled = derivatives.unpartial(function, env)
            return self.meant(
                node,
                lambda: gast.Call(node.func, [derivatives.spelled_out(spelled, len(rest)), *rest], node.keywords), env, len(rest),
            )
        asked = derivatives.asked("vjp", function, wrt, env)
        if asked is None:
            return OPAQUE
        call = self.program.meanings.setdefault((node, "call"), gast.copy_location(gast.Call(function, rest, []), node))
        bound = self.interpreter.calls.bind_arguments(asked.code, call, env, None)
        if bound is None:
            return BOTTOM
        values = derivatives.held(asked, env)
        values |= {p: values[bound.held[p]] if p in bound.held else v for p, v in bound.values.items()}
        if any(v.kind == "bottom" for v in values.values()):
            return Value("bottom")
        every = [*asked.code.parameters, *asked.code.captured]
        kinds = {p: values[p].kind for p in every}
        written = [p for p in asked.code.captured if any(c.written for c in self.program.cells(values[p]))]
        if written and not hasattr(node, "at_once"):
            derivatives.untaken(function, f"It captures `{written[0]}`, which is written in place.")
            return OPAQUE
        lost = [p for p in every if self.varied(values[p]) and kinds[p] not in (*SCALARS, "array", "tuple")]
        if lost:
            derivatives.untaken(function, f"`{lost[0]}` is kept for the pullback, and is no number, array or tuple of them.")
            return OPAQUE
        primal = derivatives.compiled(Asked("primal", asked.code, asked.holder, (), False), values, node)
        if primal is None:
            return OPAQUE

        def build() -> gast.expr:
            held = {p: self.fresh("held") for p in every}
            bindings = []
            for p in every:
                text = derivatives.given_to(p, asked, bound, function)
                bindings.append(gast.NamedExpr(name(held[p], store=True), _copy(kinds[p], text)))
            value = gast.Call(self.given(primal.function), [_copy(kinds[p], name(held[p])) for p in every], [])
            bar = self.code.names.fresh("bar")
            pull = _pull(primal.function, asked)
            self.program.pulls[pull] = asked
            pulled = gast.Call(self.given(pull), [*(name(held[p]) for p in every), name(bar)], [])
            parameter = gast.arguments([gast.Name(bar, gast.Param(), None, None)], [], None, [], [], None, [])
            return Let(bindings, gast.Tuple([value, gast.Lambda(parameter, pulled)], gast.Load()))

        return self.meant(node, build, env, id(primal.function), *kinds.values())

    def _pulled(self, asked: Asked, node: gast.Call, env: Env) -> Value:
        """The adjoints of the arguments, for the adjoint of the value: of what was held when the value was computed."""
        derivatives = self.interpreter.derivatives
        given = [self.value(a, env) for a in node.args]
        every = [*asked.code.parameters, *asked.code.captured]
        if any(v.kind == "bottom" for v in given):
            return Value("bottom")
        values = dict(zip([*every, RESULT_BAR], given))
        loaded = derivatives.compiled(asked, values, node)
        if loaded is None:
            return OPAQUE
        return derivatives.restored_call(asked, loaded.function, values, dict(zip([*every, RESULT_BAR], node.args)), node, env)


def _pull(primal: Any, asked: Asked) -> Callable[..., Any]:
    """The second half of a vjp as a function of what was held and the result's adjoint; run where that is inert."""
    vjp = next(f for f, word in FAMILY.items() if word == "vjp")

    def pull(*given: Any) -> Any:
        return vjp(primal, *given[:-1], wrt=asked.wrt[0] if asked.single else asked.wrt)[1](given[-1])

    return pull


def _copy(kind: str, text: gast.expr) -> Any:
    return expression("x.copy()", x=text) if kind == "array" else text
