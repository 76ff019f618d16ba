"""Abstract values of derivatives: `grad(g)(x)` inside a program is a call of a function that is compiled for its types.

    grad(g)(x)            →   g_grad(x, k), where g captures k; the text of g_grad is read like any other
    dg = grad(g)          →   dg = lambda *rest: grad(g)(*rest)
    vjp(g, x)             →   (g(x), lambda bar: g_grad(x, k, bar))
    jvp(g, (x,), (v,))    →   g_tangent(x, v)
"""

import inspect
import types
from dataclasses import dataclass
from typing import Any

import gast

from pullback.compiler.analysis.binding import BoundCall
from pullback.compiler.analysis.functions import Functions, closure_of
from pullback.compiler.analysis.meaning import plain_parameters
from pullback.compiler.analysis.program import Code, Env, Program
from pullback.compiler.analysis.values import OPAQUE, SCALARS, Known, Value, replace, settled_lengths
from pullback.compiler.errors import DerivativeError
from pullback.compiler.frontend.code import code_of
from pullback.compiler.frontend.derivatives import DERIVE, FAMILY, Derivative, forwarding
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name


@dataclass
class Asked:
    """A derivative that the program asks for: of which function, by which parameters."""

    mode: str
    code: Code
    holder: gast.expr | None  # the variable of the function, where it travels as an object
    wrt: tuple[str, ...]
    single: bool


class Derivatives(Functions):
    """The transfer function of derivatives inside programs."""

    def derivative(self, node: gast.Call, env: Env) -> Value | None:
        """The value of `grad(g)(x)`, `vjp(g, x)`, `jvp(g, (x,), (v,))`; None of any other call."""
        made = node.func
        if isinstance(made, gast.Call) and self._word(made, env) in ("grad", "value_and_grad"):
            if made.args:
                return self._taken(made, node, env)
            return self.meant(node, lambda: gast.Call(made.func, node.args, made.keywords), env)  # @grad(wrt=...)
        word = self._word(node, env)
        if not node.args:
            return None
        if word in ("grad", "value_and_grad"):
            return self._derivative_as_value(node, env)
        return None

    def _word(self, node: gast.Call, env: Env) -> str:
        """Which of the family a call calls, as `grad(g)` or `pullback.grad(g)`."""
        function = node.func
        base = function.value if isinstance(function, gast.Attribute) else function
        known = self.named(base, env).known if FAMILY and isinstance(base, gast.Name) else None
        thing = known.value if known is not None else None
        if isinstance(function, gast.Attribute):
            thing = getattr(thing, function.attr, None) if isinstance(thing, types.ModuleType) else None
        return FAMILY.get(thing, "") if isinstance(thing, types.FunctionType) else ""

    def derivative_object(self, thing: Derivative, node: gast.Call, env: Env) -> Value | None:
        """A call of what `grad` made before, outside the program."""
        positional, keywords = self.arguments(node, env)
        if not any(self.varied(v) for v in [*positional, *keywords.values()]):
            return None
        wrt = thing.wrt[0] if thing.single else tuple(thing.wrt)
        maker = next(f for f, word in FAMILY.items() if word == thing.mode)
        made = gast.Call(self.given(maker), [self.given(thing.primal), constant(wrt)], [])
        return self.meant(node, lambda: gast.Call(made, node.args, node.keywords), env)

    def _derivative_as_value(self, node: gast.Call, env: Env) -> Value:
        """grad(g)   →   lambda *rest: grad(g)(*rest)."""
        known = self._readable(node.args[0], env)
        names = plain_parameters(known[0]) if known is not None else []

        def build(held: str) -> gast.expr:
            return self.forwarding(gast.Call(node.func, [name(held), *node.args[1:]], node.keywords), [], names)

        return self.meant(node, lambda: self.let(node.args[:1], build, "held", anew=True), env, *names)

    # -- which function, by what ----------------------------------------------------------------

    def _asked(self, mode: str, function: gast.expr, wrt: gast.expr | None, env: Env) -> Asked | None:
        known = self._readable(function, env)
        if known is None:
            self._untaken(function, "It is not one function that can be read.")
            return None
        code, holder = known
        plain = [p.id for p in [*code.tree.args.posonlyargs, *code.tree.args.args, *code.tree.args.kwonlyargs]]
        names = [p for p in plain if p != "self" or plain[0] != "self"]
        picked = self._picked(wrt, names, {old: new for new, old in code.aliases.items()}, env)
        if picked is None:
            self._untaken(function, "`wrt` names no parameter of it, or is known only when the program runs.")
            return None
        return Asked(mode, code, holder, *picked)

    def _readable(self, node: gast.expr, env: Env) -> tuple[Code, gast.expr | None] | None:
        """The text of a function, and the variable that holds it where it travels as an object."""
        if isinstance(node, gast.Call) and self._word(node, env) in ("grad", "value_and_grad") and node.args:
            inner = self._readable(node.args[0], env)  # grad(grad(g)): of lambda x: grad(g)(x)
            names = plain_parameters(inner[0]) if inner is not None else []
            lambda_node = self._placed(gast.copy_location(self.forwarding(clone(node), [], names), node), node)
            return (self.nested(lambda_node), None) if names else None
        code = self.function_of(node, env)
        if code is not None:
            return code, None
        value = self.value(node, env)
        kinds = {closure_of(c.cls) for c in self.program.cells(value)} if value.kind == "object" and not value.code else ()
        held = next(iter(kinds)) if len(kinds) == 1 else None
        if held is not None:
            return held, node
        found = self._code_of(value.known.value) if value.known is not None else None
        return (found, None) if found is not None else None

    def _code_of(self, thing: Any) -> Code | None:
        """The text of a function that exists already; a derivative of it forwards its arguments."""
        if isinstance(thing, Derivative):
            thing = self.program.forwarding.setdefault(thing, forwarding(thing))
        found = code_of(thing, self.program) if callable(thing) and hasattr(thing, "__code__") else None
        if isinstance(found, Exception):
            self.note(found)
        return found if isinstance(found, Code) else None

    def _picked(self, wrt: gast.expr | None, names: list[str], ours: dict[str, str], env: Env) -> Any:
        """(parameters, was it one?), of an index, a name, or a tuple of them."""
        known = self._constant(wrt, env) if wrt is not None else Known(0)
        if known is None:
            return None
        single = not isinstance(known.value, (tuple, list))
        picked = []
        for item in [known.value] if single else known.value:
            item = ours.get(item, item)
            if isinstance(item, int) and -len(names) <= item < len(names):
                item = names[item]
            if item not in names:
                return None
            picked.append(item)
        return tuple(picked), single

    def _constant(self, node: gast.expr, env: Env) -> Known | None:
        if isinstance(node, (gast.Tuple, gast.List)):
            parts = [self._constant(e, env) for e in node.elts]
            return Known(tuple(p.value for p in parts if p)) if all(parts) else None
        return self.value(node, env).known

    def _untaken(self, node: gast.expr, cause: str) -> None:
        self.refuse(
            node,
            "derivative",
            "cannot tell which derivative this takes",
            cause,
            "name the function, and give `wrt` as a literal",
        )

    # -- grad and value_and_grad ----------------------------------------------------------------

    def _taken(self, made: gast.Call, node: gast.Call, env: Env) -> Value:
        """grad(g, wrt)(*args)."""
        options = {k.arg: k.value for k in made.keywords}
        wrt = made.args[1] if len(made.args) > 1 else options.get("wrt")
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values(), self.value(made.args[0], env)]
        if not any(self.varied(v) for v in every):
            return self.unknown(node, *every)
        asked = self._asked(self._word(made, env), made.args[0], wrt, env)
        return OPAQUE if asked is None else self._called(asked, node, made.args[0], env)

    def _called(self, asked: Asked, node: gast.Call, function: gast.expr, env: Env) -> Value:
        bound: BoundCall | None = self.bind_arguments(asked.code, node, env, None)
        if bound is None:
            return OPAQUE
        held = self._held(asked, env)
        values = held | {p: held[bound.held[p]] if p in bound.held else v for p, v in bound.values.items()}
        if any(v.kind == "bottom" for v in values.values()):
            return Value("bottom")
        compiled = self._compiled(asked, values, node)
        if compiled is None:
            return OPAQUE
        return self._restored_call(asked, compiled, values, bound, node, function, env)

    def _held(self, asked: Asked, env: Env) -> dict[str, Value]:
        if asked.holder is not None:
            return self._fields(asked.code, self.value(asked.holder, env))
        if asked.code.parent is None:
            return {}
        self.check_captured(asked.code, env)
        return {n: env.get(n) or self.spec.parameters.get(n) or OPAQUE for n in asked.code.captured}

    def _compiled(self, asked: Asked, values: dict[str, Value], node: gast.expr) -> Any:
        """The derivative as a function, for these types; its refusals are the program's."""
        order = [*asked.code.parameters, *asked.code.captured]
        key = (asked.code, asked.mode, asked.wrt, asked.single, tuple(self._type(values[p], set()) for p in order))
        known = self.program.derivatives
        if key not in known:
            def make(inner: Program) -> dict[str, Value]:
                seen: dict[str, str] = {}
                return {p: transplanted(values[p], self.program, inner, p, p in asked.wrt, seen) for p in order}

            try:
                known[key] = DERIVE[asked.mode](asked.code, make, asked.wrt, asked.single)
            except DerivativeError as refusal:
                known[key] = refusal
        found = known[key]
        if isinstance(found, Exception):
            self.note(found)
            return None
        self.program.fixed |= {(id(c), n): (c, n, thing) for c, n, thing in found.fixed}
        for pair in found.shared:
            one, other = (self.program.reached(values[p]) for p in pair)
            if one & other:
                self.refuse(node, "shared", "cannot take a derivative by two arguments that share memory",
                            "One of them is written.", "pass a copy of one")
        return found.function

    def _type(self, value: Value, seen: set[str]) -> Any:
        """What a derivative is compiled for: kinds, dtypes, lengths and structure."""
        inside = []
        for site in sorted(value.sites - seen):
            cell = self.program.heap.get(site)
            if cell is not None and value.kind != "array":
                seen.add(site)
                parts = cell.items if cell.items is not None else list(cell.fields.values()) or ([cell.content] if cell.content else [])
                inside.append((tuple(map(str, cell.fields)), [self._type(p, seen) for p in parts]))
        thing = value.known.value if value.known is not None else None
        plain = repr(thing) if isinstance(thing, (int, float, str, bool, tuple)) else id(thing)
        items = [self._type(i, seen) for i in value.items or ()]
        return repr((value.kind, value.dtype, value.dims, plain, items, inside, value.optional, str(value.code)))

    def _restored_call(self, asked: Asked, compiled: Any, values: dict[str, Value], bound: BoundCall,
                       node: gast.Call, function: gast.expr, env: Env) -> Value:
        """The call of the derivative, its results in the form of their arguments and in memory of their own."""
        code = asked.code
        every = [*code.parameters, *code.captured]

        def build() -> gast.expr:
            given = {p: self._given_to(p, asked, bound, function) for p in every}
            held = {p: self.fresh("held") for p in every}
            bindings = [gast.NamedExpr(name(held[p], store=True), given[p]) for p in every]
            out = self.fresh("out")
            called = gast.Call(self.given(compiled), [name(held[p]) for p in every], [])
            bindings.append(gast.NamedExpr(name(out, store=True), called))
            one = asked.mode == "value_and_grad"
            place: Any = lambda i: f"{out}[1]" if one and asked.single else f"{out}[1][{i}]" if one else (  # noqa: E731
                out if asked.single else f"{out}[{i}]")
            grads = [restored(values[p], expression(place(i)), name(held[p])) for i, p in enumerate(asked.wrt)]
            result = grads[0] if asked.single else gast.Tuple(grads, gast.Load())
            return Let(bindings, gast.Tuple([expression(f"{out}[0]"), result], gast.Load()) if one else result)

        return self.meant(node, build, env, id(compiled))

    def _given_to(self, parameter: str, asked: Asked, bound: BoundCall, function: gast.expr) -> gast.expr:
        code = asked.code
        if parameter in bound.packed:
            parts: list[Any] = bound.packed[parameter]
            kwarg = code.tree.args.kwarg
            if kwarg is not None and kwarg.id == parameter:
                return gast.Dict([constant(k) for k, _ in parts], [clone(v) for _, v in parts])
            return gast.Tuple([clone(p) for p in parts], gast.Load())
        if parameter in code.captured or parameter in bound.held:
            field = bound.held.get(parameter, parameter)
            return name(field) if asked.holder is None else gast.Attribute(clone(function), field, gast.Load())
        argument = bound.arguments.get(parameter)
        if argument is not None:
            return clone(argument) if isinstance(argument, gast.Subscript) else argument
        return self._default_of(code, parameter)

    def _default_of(self, code: Code, parameter: str) -> gast.expr:
        if code.function is not None:
            signature = inspect.signature(code.function)
            return self.given(signature.parameters[code.aliases.get(parameter, parameter)].default)
        a = code.tree.args
        positional = [*a.posonlyargs, *a.args]
        texts = dict(zip([p.id for p in positional[len(positional) - len(a.defaults) :]], a.defaults))
        texts |= {p.id: d for p, d in zip(a.kwonlyargs, a.kw_defaults) if d is not None}
        return clone(texts[parameter])


def restored(like: Value, gradient: gast.expr, argument: gast.expr) -> gast.expr:
    """A gradient with the structure and shape of its argument, in memory of its own."""
    if like.kind in SCALARS:
        return expression("float(g)", g=gradient)
    if like.kind == "tuple" and like.items is not None and like.code is None:
        parts = [gast.Subscript(clone(t), constant(i), gast.Load()) for t in (gradient, argument) for i in range(len(like.items))]
        count = len(like.items)
        return gast.Tuple([restored(v, parts[i], parts[count + i]) for i, v in enumerate(like.items)], gast.Load())
    if like.kind == "array":
        return expression("np.zeros_like(a) + g", a=argument, g=gradient)
    return gradient


def transplanted(value: Value, outer: Program, inner: Program, site: str, active: bool, seen: dict[str, str]) -> Value:
    """A value of one program as an argument in another: its type and structure, in memory of its own."""
    value = replace(settled_lengths(value), varied=False, unbound=False)
    if value.kind in SCALARS:
        return replace(value, varied=active and value.kind in ("float", "complex"), sites=frozenset())
    if value.kind == "tuple":
        items = [transplanted(v, outer, inner, f"{site}[{i}]", active, seen) for i, v in enumerate(value.items or ())]
        return replace(value, items=tuple(items), sites=frozenset())
    if value.kind not in ("array", "number", "list", "dict", "object") or (value.kind == "number" and not value.sites):
        return replace(value, sites=frozenset(), varied=active and value.kind == "number")
    roots = sorted(value.sites)
    key = "|".join(roots)
    place = seen.setdefault(key, site)
    if place != site and place in inner.heap:
        return replace(value, sites=frozenset([place]), varied=inner.heap[place].varied and value.kind == "array")
    kind = "array" if value.kind == "number" else value.kind
    cells = [outer.heap[s] for s in roots if s in outer.heap]
    cell = inner.cell(place, kind, from_outside=True, cls=cells[0].cls if cells else None)
    if kind == "array":
        smooth = active and value.smooth
        if smooth:
            inner.mark(cell, "varied")
        return replace(value, sites=frozenset([place]), varied=smooth)
    if cells and cells[0].items is not None and cell.content is None:
        cell.items = [transplanted(v, outer, inner, f"{site}[{i}]", active, seen) for i, v in enumerate(cells[0].items)]
        for i, v in enumerate(cell.items):
            inner.put(cell, v, i)
    for other in cells:
        for field, v in other.fields.items():
            inner.put(cell, transplanted(v, outer, inner, f"{site}.{field}", active, seen), field)
        if not other.fields and other.items is None and other.content is not None:
            inner.put(cell, transplanted(other.content, outer, inner, f"{site}[*]", active, seen))
    return replace(value, sites=frozenset([place]))
