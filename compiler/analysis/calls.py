"""Abstract values of calls: primitives by their rules, user functions by their own text."""

import itertools
import logging
import types
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.binding import BoundCall, bind_call
from pullback.compiler.analysis.draws import GENERATORS, draw_type, drawing, drawing_of, made_generator
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import CallFact, Code, Env, Spec
from pullback.compiler.analysis.spreading import taken_by
from pullback.compiler.analysis.texts import SPELLED
from pullback.compiler.analysis.values import (
    BOTTOM,
    METHOD_TYPES,
    OPAQUE,
    PERHAPS_INTEGRAL,
    SCALARS,
    TEXT,
    Cell,
    Value,
    is_callable,
    is_text,
    placed_beside,
    replace,
    settled_lengths,
)
from pullback.compiler.emit.printer import printed
from pullback.compiler.errors import UnsupportedError
from pullback.compiler.frontend.cells import shared_cell
from pullback.compiler.frontend.code import code_of, is_equivalent, is_library
from pullback.compiler.frontend.derivatives import Derivative
from pullback.compiler.frontend.text_module import TextFunction
from pullback.compiler.ir.template import constant
from pullback.compiler.ir.walk import SCOPES, every_node, free_variables
from pullback.compiler.rules.language import rule_of
from pullback.compiler.rules.methods import METHODS, SECOND, SPREAD
from pullback.compiler.rules.writing import writer_of
from pullback.runtime.functions import Closure

PURE_MODULES = ("numpy", "math", "operator", "scipy", "builtins", "cmath", "itertools", "functools")
READING = frozenset((*METHODS, "astype", "tolist", "view", "get", "keys", "values", "items", "format", "join", "split"))
PASSING_ON: dict[Any, slice] = {  # iterators that hand on items as they are: which arguments they take them from
    **dict.fromkeys((iter, itertools.islice, itertools.cycle, itertools.compress), slice(0, 1)),
    **dict.fromkeys((filter, itertools.filterfalse, itertools.takewhile, itertools.dropwhile), slice(1, 2)),
    itertools.chain: slice(None),
}
ASTYPE = ("dtype", "order", "casting", "subok", "copy")  # its parameters
OPAQUE_ROUTES = ("eval", "exec", "locals", "globals", "vars", "compile")
NESTED = 12  # so many calls of a function inside each other, each with types that it never had before, have no end


class Calls(Part):
    """The transfer function of calls."""

    def of_Call(self, node: gast.Call, env: Env) -> Value:
        value = self._called(node, env)
        self.interpreter.callbacks.account(node)
        return self._passing_on(value, node) if value.kind == "opaque" and value.code is None else value

    def _passing_on(self, value: Value, node: gast.Call) -> Value:
        """An inert iterator whose items are those of what it goes through, or what a function with a rule makes of them."""
        thing, given = self.facts.resolved.get(node), [self.facts.types.get(a, OPAQUE) for a in node.args]
        if value.varied or not given:
            return value
        if thing is itertools.repeat:
            return self._generated(given[0], node)
        function = given[0].known.value if thing is map and given[0].known is not None else None
        if function is not None and rule_of(function) is not None:
            items = [self.element(v, node) for v in given[1:]]
            if function is float or all(v.numeric for v in items):
                return self._generated(self.interpreter.arithmetic.apply(function, items, {}, node), node)
        which = next((w for one, w in PASSING_ON.items() if one is thing), None)
        sources = [self.facts.types[a] for a in node.args[which] if a in self.facts.types] if which is not None else []
        return replace(value, code=self.joined([self.element(s, node) for s in sources])) if sources else value

    def _generated(self, item: Value, node: gast.Call) -> Value:
        return self.interpreter.generators.lazy(self.new_list(node, [item], known=False))

    def _called(self, node: gast.Call, env: Env) -> Value:
        derivative = self.interpreter.derivatives.derivative(node, env) or self.interpreter.products.product(node, env)
        if derivative is not None:
            return derivative
        code = self.interpreter.functions.function_of(node.func, env)
        if code is not None:
            self.facts.types[node.func] = Value("function", code=code)
            return self.interpreter.functions.call_text(code, node, env)
        if isinstance(node.func, gast.Attribute):
            above = self.interpreter.protocols.of_super(node, env)
            if above is not None:
                return above
            base = self.value(node.func.value, env)
            special = self._method_call(node, base, env)
            if special is not None:
                return special
            target = self.interpreter.expressions.attribute(base, node.func.attr, node.func, env)
            self.facts.types[node.func] = target
        else:
            target = self.value(node.func, env)
        return self.call_value(target, node, env)

    def call_value(self, target: Value, node: gast.Call, env: Env) -> Value:
        """The value of calling `target` with the arguments written at `node`."""
        if target.kind == "bottom":
            return BOTTOM
        if target.kind == "object":
            return self.interpreter.functions.call_object(target, node, env)
        if target.known is None:
            return self._unknown_call(node, env)
        thing = target.known.value
        if thing is Closure:
            return self.interpreter.functions.made_closure(node, env)
        self.facts.resolved[node] = thing
        if rule_of(thing) is not None and getattr(thing, "__module__", "") != "builtins":
            spread = self.interpreter.spreading.meaning_of_primitive(node, False, env)
            if spread is not None:
                return spread
        special = self.interpreter.texts.call(thing, node, env) or self.interpreter.containers.special_call(thing, node, env)
        if special is not None:
            return special
        derivatives, functions = self.interpreter.derivatives, self.interpreter.functions
        known = derivatives.derivative_object(thing, node, env) if isinstance(thing, Derivative) else None
        known = known or functions.call_known(thing, node, env)
        if known is not None:
            return known
        writer = writer_of(thing)
        if writer is not None:
            return self.interpreter.writing.call_writer(writer, node, env)
        rule = rule_of(thing)
        if rule is not None:
            return self._call_rule(thing, node, env)
        if isinstance(thing, type) and made_generator(thing) is None:
            return self.interpreter.construction.construct(thing, node, env)
        if isinstance(thing, (types.FunctionType, TextFunction)):
            return self.call_function(thing, node, env)
        return self._opaque_call(thing, node, env)

    # -- primitives ---------------------------------------------------------------------------

    def _call_rule(self, thing: Any, node: gast.Call, env: Env) -> Value:
        positional, keywords = self.arguments(node, env)
        return self.interpreter.writing.applied(thing, positional, keywords, node)

    def _method_call(self, node: gast.Call, base: Value, env: Env) -> Value | None:
        assert isinstance(node.func, gast.Attribute)
        name = node.func.attr
        if base.kind == "bottom":
            return BOTTOM
        if base.kind in ("list", "dict", "tuple", "set"):
            return self.interpreter.containers.container_method(base, name, node, env)
        if base.kind == "object":
            return self.interpreter.classes.call_method(base, name, node, env)
        if not base.numeric:
            return None
        apart = self.interpreter.spreading.meaning_of_primitive(node, self.varied(base), env)
        if apart is not None:
            return apart
        if name == "astype" or name == "item" or name == "tolist":
            return self._conversion(name, base, node, env)
        if name in ("itemset", "resize"):
            return self.interpreter.writing.in_place_method(name, base, node, env)
        writer = writer_of(getattr(np.ndarray, name, None))
        if writer is not None:
            self.facts.resolved[node] = getattr(np.ndarray, name)
            return self.interpreter.writing.call_writer(writer, node, env, base)
        if name in ("conj", "conjugate") and base.kind == "array" and base.dtype.startswith("float"):
            return self.meant(node, lambda: node.func.value, env)  # type: ignore[attr-defined]
        function = METHODS.get(name)
        if function is None or (name == "view" and (node.args or node.keywords)):  # the bytes as another type
            meant = self.interpreter.called_operators.meaning_of_special_method(name, node, env)
            return meant if meant is not None else self._opaque_call(name, node, env, base)
        self.facts.resolved[node] = function
        positional, keywords = self.arguments(node, env)
        rule = rule_of(function)
        if rule is not None and name not in SECOND and any(self.varied(v) for v in [base, *positional, *keywords.values()]):
            meant = self.interpreter.shorthands.with_arrays(rule, node, positional, keywords, env, taken=1)
            if meant is not None:
                return meant
        if name in SPREAD:
            spread = len(positional) != 1 or positional[0].kind == "int"
            shape = [Value("tuple", items=tuple(positional))] if spread else positional
            positional = shape if positional else []
        ordered = [positional[0], base, *positional[1:]] if name in SECOND and positional else [base, *positional]
        return self.interpreter.writing.applied(function, ordered, keywords, node)

    def _astype(self, base: Value, node: gast.Call, env: Env) -> Value:
        """x.astype(float, copy=False) → np.asarray(x, float), which may be x itself."""
        texts = {**dict(zip(ASTYPE, node.args)), **{k.arg: k.value for k in node.keywords}}
        copy = texts.get("copy", constant(True))
        if isinstance(copy, gast.Constant) and copy.value:
            return self._cast(base, self.value(texts["dtype"], env) if "dtype" in texts else OPAQUE, node)
        if not isinstance(copy, gast.Constant) and self.varied(base):
            self.refuse(
                node,
                "copy",
                "cannot tell whether `astype` copies here",
                "Where it does not, what is written to the result is written to the array.",
                "say `copy=True` or `copy=False`",
            )
        owner = node.func.value  # type: ignore[attr-defined]
        order = [gast.keyword("order", texts["order"])] if "order" in texts else []
        return self.meant(node, lambda: gast.Call(self.given(np.asarray), [owner, texts["dtype"]], order), env, "asarray")

    def _conversion(self, name: str, base: Value, node: gast.Call, env: Env) -> Value:
        positional, keywords = self.arguments(node, env)
        if name == "astype":
            return self._astype(base, node, env)
        if name == "item":
            kind = "complex" if base.is_complex else "float" if base.smooth else "int"
            return Value(kind, varied=self.varied(base) and base.smooth)
        rank = base.rank
        if rank is not None:
            return self.meant(node, lambda: self.interpreter.methods.listed(rank, node.func.value), env, rank)
        if self.varied(base):
            return self.unsettled(node, "`tolist()` of an active array")
        return OPAQUE

    def _cast(self, base: Value, target: Value, node: gast.Call) -> Value:
        """x.astype(target)."""
        dtype = self.interpreter.containers.converted_to(base, target, node)
        if dtype is None:
            return replace(base, kind="opaque" if target.known else base.kind, dtype="", varied=False)
        value = replace(base, dtype=dtype.name, varied=False)
        if base.kind not in ("array", "number"):
            return replace(value, varied=self.varied(base) and dtype.kind in "fc")
        site = self.site(node, "array")
        active = self.varied(base) and value.smooth
        if active:
            self.program.mark(self.program.heap[site], "varied")
        return replace(value, sites=frozenset([site]), varied=active)

    def _unknown_call(self, node: gast.Call, env: Env) -> Value:
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values()]
        if is_text(self.facts.types.get(node.func, OPAQUE)):  # a method of a text
            return TEXT
        owner = self.facts.types.get(getattr(node.func, "value", None), OPAQUE)
        if owner.code in GENERATORS and any(self.varied(v) for v in every):
            self.refuse(
                node,
                "draw",
                "cannot differentiate a draw by its parameters",
                "Random numbers are inert: how they depend on these is not in the text.",
                "draw standard numbers, and shift and scale them, as in `mean + scale * rng.standard_normal(n)`",
            )
        elif self.interpreter.texts.written(owner, every):
            pass  # what is read from it may be the text
        elif any(self.interpreter.texts.shows(v) for v in [*every, self.facts.types.get(node.func, OPAQUE)]):
            local = isinstance(node.func, gast.Name) and node.func.id in local_classes(self.code.outermost().tree)
            self.refuse(
                node,
                "call",
                f"cannot tell what `{spelled(node)}` calls",
                "An active value goes into a class that is made anew at each call."
                if local
                else "An active value goes into a function that is chosen at run time.",
                "define the class at the top of the module"
                if local
                else "call it by a name that pullback can look up: a global, a local function or an argument",
            )
        base = self.facts.types[node.func.value] if isinstance(node.func, gast.Attribute) else OPAQUE
        self.interpreter.sets.changed(base, every)
        method = node.func.attr if isinstance(node.func, gast.Attribute) else ""
        for value in every if method in READING else [*every, base]:
            self.changes(self.interpreter.statement, value)
        draw = drawing(base.code, method) if base.kind == "opaque" else None
        return self._drawn(draw, positional, keywords, node) or self.unknown(node, *every, base)

    def _drawn(self, draw: Any, positional: list[Value], keywords: dict[str, Value], node: gast.Call) -> Value | None:
        """What a random generator draws, where its type can be told."""
        if draw is None:
            return None
        described = self.interpreter.containers.described
        value = draw_type(draw, [described(v) for v in positional], {k: described(v) for k, v in keywords.items()})
        return self.interpreter.arithmetic.settle(value, node, False, None, []) if value is not None else None

    def _opaque_call(self, thing: Any, node: gast.Call, env: Env, base: Value | None = None) -> Value:
        """A callable without rule or text: run as it is where inert, refused where active."""
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values(), *([base] if base is not None else [])]
        name = getattr(thing, "__name__", None) or (thing if isinstance(thing, str) else type(thing).__name__)
        if getattr(thing, "__name__", "") == "at" and isinstance(getattr(thing, "__self__", None), np.ufunc):
            return self.interpreter.writing.call_at(thing.__self__, node, env)
        if name in OPAQUE_ROUTES and thing in (eval, exec, locals, globals, vars, compile):
            self.refuse(
                node,
                "opaque",
                f"cannot follow `{name}`",
                "What it does is not in the function's text.",
                "write what it does as plain statements",
            )
            return OPAQUE
        shows, harmless = any(self.interpreter.texts.shows(v) for v in every), self._harmless(thing)
        if shows and (isinstance(getattr(thing, "__self__", None), str) or base is not None and thing in SPELLED):
            return TEXT
        if shows and not harmless:
            self.refuse(
                node,
                "no-rule",
                f"no derivative rule for `{spelled(node)}`",
                f"`{name}` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.",
                "compute it with functions that have rules, or in a plain Python function that pullback can read",
            )
        if thing is logging.getLogger and all(a.known is not None for a in positional):
            return self.program.value_of(thing(*(a.known.value for a in positional if a.known)), "global logger")
        pure = (getattr(thing, "__module__", None) or "").split(".")[0] in PURE_MODULES and name != "shuffle"
        if not pure and not harmless:
            for value in every:
                self.changes(self.interpreter.statement, value)
        if thing is np.errstate:
            return OPAQUE
        if made_generator(thing) is not None:
            return replace(self.unknown(node, *every), code=made_generator(thing))
        drawn = self._drawn(drawing_of(thing), positional, keywords, node)
        if drawn is not None:
            return drawn
        simple = all(v.numeric or v.known for v in every)
        if callable(thing) and simple and getattr(thing, "__module__", None) in ("numpy", "math"):
            return self.interpreter.writing.applied(thing, positional, keywords, node)
        return self.unknown(node, *every)

    def _harmless(self, thing: Any) -> bool:
        """Calls that cannot bring an active value back: printing, logging, raising."""
        if isinstance(thing, types.MethodType) and type(thing.__self__).__module__.split(".")[0] == "logging":
            return True
        module = getattr(thing, "__module__", "") or ""
        return module.split(".")[0] in ("logging", "warnings", "_warnings", "time") or module.startswith("numpy.testing") or (
            isinstance(thing, type) and issubclass(thing, BaseException)
        )

    # -- user functions -----------------------------------------------------------------------

    def captured_inside(self) -> set[str]:
        """Names that functions nested in this one read."""
        return {
            n for s in self.code.tree.body for d in every_node(s) if isinstance(d, SCOPES) for n in free_variables(d)
        }

    def call_function(self, function: Any, node: gast.Call, env: Env, owner: Value | None = None) -> Value:
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values(), *([owner] if owner is not None else [])]
        active = any(self.varied(v) for v in every) or any(is_callable(v) for v in every)
        if is_library(function):
            return self._opaque_call(function, node, env, owner)
        code = code_of(function, self.program)
        if code is None or isinstance(code, Exception):
            if active:
                if isinstance(code, Exception):
                    self.note(code)
                return self._opaque_call(function, node, env, owner)
            for value in every:
                self.changes(self.interpreter.statement, value)
            return OPAQUE
        self._refuse_shared(function, code, active, node)
        spread = self.interpreter.spreading.meaning_of_call(node, taken_by(code, owner is not None), env)
        if spread is not None:
            return spread
        bound = self.bind_arguments(code, node, env, owner)
        if bound is None:
            return BOTTOM
        return self.specialised(code, dict(bound.values), node, bound, True, env)

    def _refuse_shared(self, function: Any, code: Code, active: bool, node: gast.Call) -> None:
        """The variables of a closure that exists already hold no derivative on their way between functions."""
        codes = [s.code for s in self.program.specs.values()]
        shared = shared_cell(function, code.rebinds, codes) or (active and next(iter(code.rebinds), ""))
        if shared:
            self.refuse(
                node,
                "closure-variable",
                f"cannot follow `{shared}`, which a function called here shares",
                "It is a variable of a closure that exists already, and a call binds it anew.",
                "return the new value, or define the functions inside the one that is differentiated",
            )

    def bind_arguments(self, code: Code, node: gast.Call, env: Env, owner: Value | None) -> BoundCall | None:
        """Match the arguments of a call with parameters, as Python does; None if Python would raise."""
        if not is_equivalent(code):
            kept = self.interpreter.generators.kept
            node.args = [a if isinstance(a, gast.Starred) else kept(a, env, True) for a in node.args]
        for argument in [*node.args, *(k.value for k in node.keywords)]:
            self.value(argument, env)
        return bind_call(self, code, node, owner)

    def specialised(
        self, code: Code, values: dict[str, Value], node: gast.Call, bound: BoundCall, direct: bool, env: Env
    ) -> Value:
        if any(v.kind == "bottom" for v in values.values()):
            return BOTTOM
        values = {n: placed_beside(settled_lengths(v), None) for n, v in values.items()}
        spec = self.specialise(code, values, node)
        self.facts.calls[node] = CallFact(spec, bound.arguments, bound.packed, direct)
        if direct and code.parent is not None and code.parent is not self.code:
            spec.callers.add(self.spec)
        for name in code.nonlocals:
            if name in spec.outputs and (name in env or name in self.spec.parameters):
                target = gast.Name(name, gast.Store(), None, None)
                self.interpreter.targets.bind(target, spec.outputs[name], env, self.interpreter.statement)
        self.changes_sites(self.interpreter.statement, spec.written)
        result = settled_lengths(spec.result) if spec.result is not None else BOTTOM
        if code.steps:
            return self.interpreter.generators.as_steps(result)
        once = code.generates or code.name == "__iter__" and not self.varied(result)
        return self.interpreter.generators.lazy(result) if once else result

    def specialise(self, code: Code, values: dict[str, Value], node: gast.AST) -> Spec:
        """The function for this signature, with its parameters joined over all calls."""
        key = (code, tuple((n, signature(v, self.program.heap)) for n, v in sorted(values.items())))
        spec = self.program.specs.get(key)
        if spec is None:
            spec = Spec(code, len(self.program.specs), self.program.body_of(key, code), dict(values))
            self.program.specs[key] = spec
            self.program.version += 1
            running = self.program.running
            if running.count(code) >= NESTED:
                self.refuse(
                    node,
                    "recursion",
                    f"`{code.name}` is called with ever new types",
                    "A derivative is written for each combination of types, and here they never end.",
                    "keep the types of a recursive function's arguments the same",
                )
                raise UnsupportedError(*self.program.problems.values())  # nothing else would end
            running.append(code)
            self.interpreter.follow(spec)
            running.pop()
            return spec
        for name, value in values.items():
            old = spec.parameters[name]
            new = self.program.joined(old, value)
            if new != old:
                spec.parameters[name] = new
                self.program.version += 1
        return spec


def signature(value: Value, heap: dict[str, Cell], depth: int = 4, around: tuple[Any, ...] = ()) -> Any:
    """What two calls must share to share a derivative: kinds, dtypes, ranks, structure, functions called."""
    inner: Any = ()
    if value.items is not None:
        inner = tuple(signature(i, heap, depth - 1, around) for i in value.items)
    elif value.sites and depth and value.kind == "object":
        inner = _fields_of(value, heap, depth, around)
    elif value.sites and depth and value.kind in ("list", "dict"):
        parts = set()
        for site in value.sites:
            cell = heap.get(site)
            if cell is None:
                continue
            if cell.items is not None:
                parts.add(tuple(signature(i, heap, depth - 1, around) for i in cell.items))
            elif cell.fields:
                parts.add(tuple((str(k), signature(v, heap, depth - 1, around)) for k, v in cell.fields.items()))
            elif cell.content is not None:
                parts.add(signature(cell.content, heap, depth - 1, around))
        inner = frozenset(parts)
    thing = value.known.value if value.known is not None else None
    if isinstance(thing, METHOD_TYPES):  # made anew at each look
        return (value.kind, thing.__name__, id(getattr(thing, "__func__", None)), id(thing.__self__))
    identity = id(thing) if callable(thing) or isinstance(thing, types.ModuleType) else None
    dtype = "" if value.kind in SCALARS and value.dtype == PERHAPS_INTEGRAL else value.dtype
    return (value.kind, dtype, value.rank, inner, identity, value.code)


def _fields_of(value: Value, heap: dict[str, Cell], depth: int, around: tuple[Any, ...]) -> Any:
    """What an object's fields may hold, over all objects that it may be; nodes of a list or tree all have one type."""
    cells = [heap[s] for s in sorted(value.sites) if s in heap]
    classes = frozenset(c.cls for c in cells)
    if classes & set(around):
        return classes
    inside: dict[Any, set[Any]] = {}
    for key, held in ((k, v) for c in cells for k, v in c.fields.items()):
        parts = inside.setdefault(str(key), set())
        if held.kind != "none":
            parts.add(signature(replace(held, optional=False), heap, depth - 1, (*around, *classes)))
    return classes, frozenset((key, frozenset(parts)) for key, parts in inside.items())


def local_classes(tree: gast.AST) -> set[str]:
    """The names of the classes defined in a function."""
    return {n.name for n in every_node(tree) if isinstance(n, gast.ClassDef)}


def spelled(node: gast.AST) -> str:
    """What a call calls, as it is written; of another expression, all of it."""
    return printed(getattr(node, "func", node)).strip()
