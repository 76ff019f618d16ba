"""Abstract values of derivatives: `grad(g)(x)` inside a program is a call of a function that is compiled for its types.

    grad(g)(x)          →   g_grad(x, k), where g captures k; the text of g_grad is read like any other
    grad(net.loss)(x)   →   grad(lambda x: net.loss(x))(x)
    dg = grad(g)        →   dg = lambda *rest: grad(g)(*rest)
"""

import functools
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gast

from pullback.compiler.analysis.binding import BoundCall, default_objects, default_texts
from pullback.compiler.analysis.functions import closure_of
from pullback.compiler.analysis.meaning import plain_parameters
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Code, Env, Program
from pullback.compiler.analysis.protocols import FUNCTIONS
from pullback.compiler.analysis.values import BOTTOM, OPAQUE, SCALARS, Known, Value, replace, settled_lengths
from pullback.compiler.errors import DerivativeError
from pullback.compiler.frontend.code import code_of
from pullback.compiler.frontend.derivatives import DERIVE, FAMILY, RESULT_BAR, Derivative, forwarding
from pullback.compiler.frontend.source import own_signature
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name
from pullback.runtime.copies import refuse_held_twice


@dataclass
class Asked:
    """A derivative that the program asks for: of which function, by which parameters."""

    mode: str
    code: Code
    holder: gast.expr | None  # the variable of the function, where it travels as an object
    wrt: tuple[str, ...]
    single: bool


class Derivatives(Part):
    """The transfer function of derivatives inside programs."""

    def derivative(self, node: gast.Call, env: Env) -> Value | None:
        """The value of `grad(g)(x)` and `grad(g)`; None of any other call."""
        made = node.func
        if isinstance(made, gast.Call) and self.word(made, env) in ("grad", "value_and_grad"):
            if made.args:
                return self._taken(made, node, env)
            return self.meant(node, lambda: gast.Call(made.func, node.args, made.keywords), env)  # @grad(wrt=...)
        word = self.word(node, env)
        if not node.args:
            return None
        if word in ("grad", "value_and_grad"):
            return self._derivative_as_value(node, env)
        return None

    def word(self, node: gast.Call, env: Env) -> str:
        """Which of the family a call calls, as `grad(g)` or `pullback.grad(g)`."""
        function = node.func
        base = function.value if isinstance(function, gast.Attribute) else function
        known = self.interpreter.expressions.named(base, env).known if FAMILY and isinstance(base, gast.Name) else None
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
            derived = gast.Call(node.func, [name(held), *node.args[1:]], node.keywords)
            return self.interpreter.meanings.forwarding(derived, [], names)

        return self.meant(node, lambda: self.let(node.args[:1], build, "held", anew=True), env, *names)

    # -- which function, by what ----------------------------------------------------------------

    def has_text(self, function: gast.expr, env: Env) -> bool:
        """Is it a function of the program, or outside it, and no method, partial function or object with a call?"""
        if self.interpreter.functions.function_of(function, env) is not None:
            return True
        if isinstance(function, gast.Call) and self.word(function, env):
            return True
        value = self.value(function, env)
        if value.known is not None and isinstance(value.known.value, (*FUNCTIONS, Derivative)):
            return True
        codes = [closure_of(c.cls) for c in self.program.cells(value)]
        if value.kind != "object" or not codes:
            return value.known is None  # refused elsewhere
        return not isinstance(function, gast.Attribute) and all(code is not None and code.tree.args.vararg is None for code in codes)

    def _names_of(self, function: gast.expr, env: Env) -> list[str]:
        """The parameters of a method, or of an object with a call, as far as they can be told."""
        value = self.value(function, env)
        things = [value.known.value] if value.known is not None else []
        if isinstance(function, gast.Attribute):
            classes = self.interpreter.classes.classes_of(self.value(function.value, env))
            things += [getattr(cls, function.attr, None) for cls in classes]
        things += [c.cls.__call__ for c in self.program.cells(value) if closure_of(c.cls) is None and callable(c.cls)]
        found = [t for t in things if isinstance(t, (*FUNCTIONS, types.MethodType))]
        return list(own_signature(found[0]).parameters)[not isinstance(found[0], types.MethodType) :] if found else []

    def _by_number(self, wrt: gast.expr | None, names: list[str], env: Env) -> gast.expr | None:
        """`wrt` with the place of each parameter among those that are passed."""
        known = self._constant(wrt, env) if wrt is not None else Known(0)
        if known is None:
            return None
        single = not isinstance(known.value, (tuple, list))
        items = [known.value] if single else known.value
        if not all(isinstance(i, int) or i in names for i in items):
            return None
        places = [constant(i if isinstance(i, int) else names.index(i)) for i in items]
        return places[0] if single else gast.Tuple(places, gast.Load())

    def unpartial(self, function: gast.expr, env: Env) -> gast.Call:
        """The call that applies a function, with what functools.partial gives it."""
        if isinstance(function, gast.Call) and function.args and isinstance(function.func, (gast.Name, gast.Attribute)):
            known = self.value(function.func, env).known
            if known is not None and known.value is functools.partial:
                return gast.Call(clone(function.args[0]), [clone(a) for a in function.args[1:]],
                                 [gast.keyword(k.arg, clone(k.value)) for k in function.keywords])
        return gast.Call(clone(function), [], [])

    def spelled_out(self, call: gast.Call, count: int, words: Sequence[str] = ()) -> gast.expr:
        """lambda a, b: function(a, word=b): what is no plain function as one that takes so many arguments."""
        given = [self.code.names.fresh("given") for _ in range(count)]
        named = [self.code.names.fresh(w) for w in words]
        parameters = [gast.Name(n, gast.Param(), None, None) for n in (*given, *named)]
        keywords = [*(k for k in call.keywords if k.arg not in words), *(gast.keyword(w, name(n)) for w, n in zip(words, named))]
        called = gast.Call(call.func, [*call.args, *map(name, given)], keywords)
        return gast.Lambda(gast.arguments(parameters, [], None, [], [], None, []), called)

    def asked(self, mode: str, function: gast.expr, wrt: gast.expr | None, env: Env) -> Asked | None:
        known = self._readable(function, env)
        if known is None:
            self.untaken(function, "It is not one function that can be read.")
            return None
        code, holder = known
        plain = [p.id for p in [*code.tree.args.posonlyargs, *code.tree.args.args, *code.tree.args.kwonlyargs]]
        names = [p for p in plain if p != "self" or plain[0] != "self"]
        picked = self._picked(wrt, names, {old: new for new, old in code.aliases.items()}, env)
        if picked is None:
            self.untaken(function, "`wrt` names no parameter of it, or is known only when the program runs.")
            return None
        return Asked(mode, code, holder, *picked)

    def _readable(self, node: gast.expr, env: Env) -> tuple[Code, gast.expr | None] | None:
        """The text of a function, and the variable that holds it where it travels as an object."""
        if isinstance(node, gast.Call) and self.word(node, env) in ("grad", "value_and_grad") and node.args:
            inner = self._readable(node.args[0], env)  # grad(grad(g)): of lambda x: grad(g)(x)
            names = plain_parameters(inner[0], defaults=True) if inner is not None else []
            defaults = inner[0].tree.args.defaults if inner is not None else []
            forwarded = self.interpreter.meanings.forwarding(clone(node), [], names, defaults=defaults)
            lambda_node = self.placed(gast.copy_location(forwarded, node), node)
            return (self.interpreter.functions.nested(lambda_node), None) if names else None
        code = self.interpreter.functions.function_of(node, env)
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
        if isinstance(found, Code) and found.rebinds:
            found = code_of(thing, self.program, called=False)
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

    def untaken(self, node: gast.expr, cause: str) -> None:
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
        passed = [*positional, *keywords.values()]
        function = self._function(made.args[0], any(self.varied(v) for v in passed), env)
        if not any(self.varied(v) for v in [*passed, function]):
            return self.unknown(node, *passed, function)
        choices = self.interpreter.functions.choices_of(function) if function.kind == "object" else []
        if len(choices) > 1:
            def of_one(one: gast.expr) -> gast.expr:
                return gast.Call(made.func, [one, *made.args[1:]], made.keywords)

            return self.interpreter.functions.chosen(choices, function, node, made.args[0], of_one, env)
        part = isinstance(made.args[0], (gast.Attribute, gast.Subscript)) and not self._names_of(made.args[0], env)
        if part and function.kind == "object":
            def named(held: str) -> gast.expr:
                return gast.Call(gast.Call(made.func, [name(held), *made.args[1:]], made.keywords), node.args, node.keywords)

            return self.meant(node, lambda: self.let(made.args[:1], named, "held"), env)
        if not self.has_text(made.args[0], env):
            count, words = len(positional), list(keywords)
            by = self._by_number(wrt, [*self._names_of(made.args[0], env)[:count], *words], env)
            if by is not None:
                call = self.unpartial(made.args[0], env)
                return self.meant(node, lambda: _applied(made, self.spelled_out(call, count, words), by, node),
                                  env, count, *words)
        asked = self.asked(self.word(made, env), made.args[0], wrt, env)
        return OPAQUE if asked is None else self._called(asked, node, made.args[0], env)

    def _function(self, node: gast.expr, of_active: bool, env: Env) -> Value:
        """What a derivative is taken of: a function of the text need not become an object where its text is enough."""
        code = self.interpreter.functions.function_of(node, env) if isinstance(node, gast.Name) else None
        if code is None or not (of_active or any(self.program.is_varied(env[n]) for n in code.captured if n in env)):
            return self.value(node, env)
        return self.facts.types.setdefault(node, Value("function", varied=True, code=code))

    def _called(self, asked: Asked, node: gast.Call, function: gast.expr, env: Env) -> Value:
        bound: BoundCall | None = self.interpreter.calls.bind_arguments(asked.code, node, env, None)
        if bound is None:
            return BOTTOM
        held = self.held(asked, env)
        values = held | {p: held[bound.held[p]] if p in bound.held else v for p, v in bound.values.items()}
        if any(v.kind == "bottom" for v in values.values()):
            return Value("bottom")
        compiled = self.compiled(asked, values, node)
        if compiled is None:
            return OPAQUE
        for site in self.program.sites_from(*values.values()):
            if site in self.program.heap and closure_of(self.program.heap[site].cls) is not None:
                self.program.mark(self.program.heap[site], "varied")  # the derivative takes it apart
        given = {p: self.given_to(p, asked, bound, function) for p in (*asked.code.parameters, *asked.code.captured)}
        return self.restored_call(asked, compiled.function, values, given, node, env)

    def held(self, asked: Asked, env: Env) -> dict[str, Value]:
        if asked.holder is not None:
            return self.interpreter.functions.fields(asked.code, self.value(asked.holder, env))
        if asked.code.parent is None:
            return {}
        self.interpreter.functions.check_captured(asked.code, env)
        return {n: env.get(n) or self.spec.parameters.get(n) or OPAQUE for n in asked.code.captured}

    def compiled(self, asked: Asked, values: dict[str, Value], node: gast.expr) -> Any:
        """The derivative as a function, for these types; its refusals are the program's."""
        order = [*asked.code.parameters, *asked.code.captured, *(p for p in values if p == RESULT_BAR)]
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
        return found

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

    def restored_call(self, asked: Asked, compiled: Any, values: dict[str, Value], given: dict[str, gast.expr],
                      node: gast.Call, env: Env) -> Value:
        """The call of the derivative, its results in the form of their arguments and in memory of their own."""

        def build() -> gast.expr:
            held = {p: self.fresh("held") for p in given}
            bindings: list[Any] = [gast.NamedExpr(name(held[p], store=True), text) for p, text in given.items()]
            for p in asked.wrt:
                if values[p].kind in ("list", "dict", "tuple", "object") and self.interpreter.attributes.may_share(values[p]):
                    said = constant("a derivative is taken by")
                    check = gast.Expr(gast.Call(self.given(refuse_held_twice), [name(held[p]), said], []))
                    bindings.append(gast.copy_location(check, node))
            out = self.fresh("out")
            called = gast.Call(self.given(compiled), [name(h) for h in held.values()], [])
            bindings.append(gast.NamedExpr(name(out, store=True), called))
            one = asked.mode == "value_and_grad"
            place: Any = lambda i: f"{out}[1]" if one and asked.single else f"{out}[1][{i}]" if one else (  # noqa: E731
                out if asked.single else f"{out}[{i}]")
            grads = [self.restored(values[p], expression(place(i)), name(held[p])) for i, p in enumerate(asked.wrt)]
            result = grads[0] if asked.single else gast.Tuple(grads, gast.Load())
            return Let(bindings, gast.Tuple([expression(f"{out}[0]"), result], gast.Load()) if one else result)

        return self.meant(node, build, env, id(compiled))

    def restored(self, like: Value, gradient: gast.expr, argument: gast.expr) -> gast.expr:
        """A gradient with the structure and shape of its argument, in memory of its own."""
        if like.kind in SCALARS:
            return _as_number(like, gradient)
        if like.kind == "tuple" and like.items is not None:
            count = len(like.items)
            parts = [gast.Subscript(clone(t), constant(i), gast.Load()) for t in (gradient, argument) for i in range(count)]
            items = [self.restored(v, parts[i], parts[count + i]) for i, v in enumerate(like.items)]
            return gast.Tuple(items, gast.Load()) if like.code is None else gast.Call(self.given(like.code), items, [])
        if like.kind == "array":
            return expression("np.zeros_like(a) + g", a=argument, g=gradient)
        return self.restored_items(like, gradient, argument) if like.kind in ("list", "dict") else gradient

    def restored_items(self, like: Value, gradient: gast.expr, argument: gast.expr) -> gast.expr:
        """The gradient by a list or dict: what it has for numbers may be arrays of no dimension."""

        def item(value: Value, key: gast.expr) -> gast.expr:
            part, own = (gast.Subscript(clone(t), clone(key), gast.Load()) for t in (gradient, argument))
            if value.kind in SCALARS:
                return _as_number(value, part)
            if value.kind == "number":
                return expression("g if isinstance(a, np.ndarray) else float(g)", g=part, a=own)
            return self.restored_items(value, part, own) if value.kind in ("list", "dict") else part

        if not any(v.kind in (*SCALARS, "number") for v in self._inside(like)):
            return gradient
        key = self.fresh("key")
        if like.kind == "list":
            known = self.known_items(like)
            if known is not None:
                return gast.List([item(v, constant(i)) for i, v in enumerate(known)], gast.Load())
            element = self.element(like, None)
            return gast.ListComp(item(element, name(key)), [_over(key, expression("range(len(a))", a=argument))])
        words = self.settled_keys(like)
        held = self.interpreter.containers.dict_item
        if words:
            return gast.Dict([constant(w) for w in words], [item(held(like, w), constant(w)) for w in words])
        element = held(like, None)
        return gast.DictComp(name(key), item(element, name(key)), [_over(key, clone(argument))])

    def _inside(self, like: Value) -> list[Value]:
        """What is held by a container, and by what is in it."""
        cells = [self.program.heap[s] for s in self.program.sites_from(like) if s in self.program.heap]
        return [v for cell in cells for v in cell.held()]

    def given_to(self, parameter: str, asked: Asked, bound: BoundCall, function: gast.expr) -> gast.expr:
        code = asked.code
        if parameter in bound.packed:
            parts: list[Any] = bound.packed[parameter]
            kwarg = code.tree.args.kwarg
            if kwarg is not None and kwarg.id == parameter:
                return gast.Dict([constant(k) for k, _ in parts], [clone(v) for _, v in parts])
            return gast.Tuple([clone(p) for p in parts], gast.Load())
        if parameter in code.captured or parameter in bound.held:
            return self.captured_as(bound.held.get(parameter, parameter), asked, function)
        argument = bound.arguments.get(parameter)
        if argument is not None:
            return clone(argument) if isinstance(argument, gast.Subscript) else argument
        return self._default_of(code, parameter)

    def captured_as(self, variable: str, asked: Asked, function: gast.expr) -> gast.expr:
        """A variable that the function captures: by name, or a field where the function travels as an object."""
        return name(variable) if asked.holder is None else gast.Attribute(clone(function), variable, gast.Load())

    def _default_of(self, code: Code, parameter: str) -> gast.expr:
        made_with = default_objects(code)
        return self.given(made_with[parameter]) if parameter in made_with else clone(default_texts(code)[parameter])


def _as_number(like: Value, gradient: gast.expr) -> gast.expr:
    """An entry of a gradient as a number of the kind that its argument is."""
    return expression("complex(g)" if like.kind == "complex" else "float(g)", g=gradient)


def _over(variable: str, items: gast.expr) -> gast.comprehension:
    return gast.comprehension(name(variable, store=True), items, [], False)


def _applied(made: gast.Call, function: gast.expr, wrt: gast.expr, node: gast.Call) -> gast.Call:
    """grad(function, wrt)(*args), of the arguments by place and then of those by name."""
    return gast.Call(gast.Call(made.func, [function, wrt], []), [*node.args, *(k.value for k in node.keywords)], [])


def transplanted(value: Value, outer: Program, inner: Program, site: str, active: bool, seen: dict[str, str]) -> Value:
    """A value of one program as an argument in another: its type and structure, in memory of its own."""
    value = replace(settled_lengths(value), varied=False, unbound=False)
    if value.kind in SCALARS:
        varied = active and value.kind in ("float", "complex")
        return replace(value, varied=varied, known=None if varied else value.known, sites=frozenset())
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
        rest = other.anywhere if other.kind in ("dict", "object") else other.content if other.items is None else None
        if rest is not None:
            inner.put(cell, transplanted(rest, outer, inner, f"{site}[*]", active, seen))
    return replace(value, sites=frozenset([place]))
