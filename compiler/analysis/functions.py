"""Abstract values of functions: defined inside others they are called by name, or travel as objects.

    f(t)             a function of the text, called with the variables that it captures as they are now
    fs.append(f)     →   fs.append(Closure(f, "f", k=k)): an object that holds what it captures
    fs[0](t)         a call of such an object: its fields are arguments
    (f if c else g)(t)   →   f(t) if held is f else g(t), where several functions are possible
"""

import functools
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.binding import BoundCall
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Code, Env, Rebound
from pullback.compiler.analysis.protocols import FUNCTIONS
from pullback.compiler.analysis.spreading import taken_by
from pullback.compiler.analysis.values import BOTTOM, OPAQUE, Known, Value, replace
from pullback.compiler.frontend.code import is_library, nested_code
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name
from pullback.compiler.ir.walk import every_node
from pullback.runtime.functions import Closure


class Functions(Part):
    """The transfer function of function values."""


    # -- functions of the text ----------------------------------------------------------------

    def nested(self, node: Any) -> Code:
        """The text of a function defined inside this one."""
        known = self.program.nested
        if node not in known:  # each specialised function has a copy of the text
            place = (self.code, node.lineno, node.col_offset, gast.dump(node))
            if place not in known:
                known[place] = self.program.shared(nested_code(node, self.code, self.program.stepped))
            known[node] = known[place]
        return known[node]

    def function_of(self, node: gast.expr, env: Env) -> Code | None:
        """The function that a lambda, or the name of a definition, stands for."""
        if isinstance(node, gast.Lambda):
            return None if self._defaults(node) else self.nested(node)
        value = self.interpreter.expressions.named(node, env) if isinstance(node, gast.Name) else OPAQUE
        return value.code if value.kind == "function" else None

    def of_Lambda(self, node: gast.Lambda, env: Env) -> Value:
        if self._defaults(node):
            return self.meant(node, lambda: self._with_defaults(node), env)
        return self.function_value(node, self.nested(node), env)

    def _defaults(self, node: gast.Lambda) -> list[gast.expr]:
        """The default arguments that have to be evaluated where the function is made."""
        every = [*node.args.defaults, *node.args.kw_defaults]
        kept = self.code.settled
        return [
            d for d in every if d is not None and not isinstance(d, gast.Constant) and getattr(d, "id", "") not in kept
        ]

    def _with_defaults(self, node: gast.Lambda) -> gast.expr:
        """lambda t, k=k: t * k   →   k_default := k; lambda t, k=k_default: t * k."""
        new = clone(node)
        bindings: list[gast.NamedExpr] = []
        waiting = self._defaults(new)
        for group in (new.args.defaults, new.args.kw_defaults):
            for i, default in enumerate(group):
                if default in waiting:
                    held = self.fresh("default")
                    bindings.append(gast.NamedExpr(name(held, store=True), default))
                    group[i] = name(held)
        return Let(bindings, new)

    # -- functions as objects -----------------------------------------------------------------

    def function_value(self, node: gast.expr, code: Code, env: Env) -> Value:
        """A function that is not called where it is named: an object with what it captures."""
        self.check_captured(code, env)
        if isinstance(node, gast.Name) and code.parent is not None and code.parent is not self.code:
            raise Rebound(self.code.owner(node.id), node.id)  # its text stands in another function
        return self.meant(node, lambda: self._as_data(node, code), env)

    def check_captured(self, code: Code, env: Env) -> None:
        """What a function captures is shared with it if it is bound later, or by the function."""
        for n in code.captured:
            known = env.get(n) or self.spec.parameters.get(n)
            if n in code.nonlocals or known is None or known.unbound:
                raise Rebound(self.code.owner(n), n)

    def _as_data(self, node: gast.expr, code: Code) -> gast.expr:
        text = clone(node)
        if isinstance(node, gast.Lambda):
            self.program.nested[text] = code
        fields = [gast.keyword(n, name(n)) for n in code.captured]
        return gast.Call(name(Closure.__name__), [text, constant(code.closure_class.text)], fields)

    def made_closure(self, node: gast.Call, env: Env) -> Value:
        """Closure(f, "f", k=k)."""
        code = self.function_of(node.args[0], env)
        assert code is not None and code.parent is not None
        self.facts.resolved[node] = Closure
        fields = {k.arg: self.value(k.value, env) for k in node.keywords}
        for n in fields:
            if n not in code.parent.settled:
                self.program.held.add((self.code.owner(n), n))
        return self.interpreter.construction.new_object(code.closure_class, node, fields)

    def rebinding(self, variable: str, env: Env, at: gast.stmt) -> None:
        """A variable is bound anew: do functions that hold its old value live on?"""
        owner = self.code.owner(variable)
        if (owner, variable) not in self.program.held or variable in owner.frames:
            return
        if variable in owner.names.made:  # what was evaluated for one function, as the arguments of a partial
            return
        live = self._with_captured(self.interpreter.liveness.after.get(at, frozenset()), env)
        values = [v for n, v in env.items() if n in live] + list(self.spec.parameters.values())
        loops = [n.iter for s in self.spec.body for n in every_node(s) if isinstance(n, gast.For)]
        values += [self.facts.types[i] for i in loops if i in self.facts.types]
        outliving = {s for s in self.program.heap if s.startswith(("global ", "default "))}
        reached = self.program.sites_from(replace(OPAQUE, sites=frozenset(outliving)), *values)
        codes = [c for c in (closure_of(self.program.heap[s].cls) for s in reached if s in self.program.heap) if c]
        if owner is not self.code or any(variable in c.captured and c.owner(variable) is owner for c in codes):
            raise Rebound(owner, variable)

    def _with_captured(self, live: frozenset[str], env: Env) -> set[str]:
        """Variables, and what the functions among them that are called by name read when they are."""
        found, waiting = set(live), list(live)
        while waiting:
            value = env.get(waiting.pop())
            captured = value.code.captured if value is not None and isinstance(value.code, Code) else []
            waiting += [n for n in captured if n not in found]
            found.update(captured)
        return found

    def refuse_attribute(self, node: gast.Attribute) -> Value:
        self.refuse(
            node,
            "function-attribute",
            f"cannot follow the attribute `{node.attr}` of a function",
            "A function that is made inside another one travels without what is set on it.",
            "keep it in a variable of the function around, or in a dict",
        )
        return OPAQUE

    # -- calls --------------------------------------------------------------------------------

    def call_text(self, code: Code, node: gast.Call, env: Env, holder: Value | None = None) -> Value:
        """A function of the text called: by name, or as an object that holds what it captures."""
        held = self.fields(code, holder) if holder is not None else {
            n: env.get(n) or self.spec.parameters.get(n) or OPAQUE for n in code.captured
        }
        spread = self.interpreter.spreading.meaning_of_call(node, taken_by(code, False), env)
        if spread is not None:
            return spread
        bound: BoundCall | None = self.interpreter.calls.bind_arguments(code, node, env, None)
        if bound is None:
            return BOTTOM
        for parameter, default in bound.held.items():
            bound.values[parameter] = held.get(default, OPAQUE)
        result = self.interpreter.calls.specialised(code, held | bound.values, node, bound, holder is None, env)
        if holder is not None and any(self.varied(v) for v in [result, *bound.values.values()]):
            for cell in self._cells(code, holder):
                self.program.mark(cell, "varied")  # what it holds is handed to a derivative
        return result

    def _cells(self, code: Code, holder: Value) -> list[Any]:
        return [c for c in self.program.cells(holder) if kind_of(c.cls) == kind_of(code.closure_class)]

    def fields(self, code: Code, holder: Value) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for n in code.captured:
            for cell in self._cells(code, holder):
                new = cell.fields.get(n, BOTTOM)
                found[n] = self.program.joined(found[n], new) if n in found else new
        return found

    def call_object(self, target: Value, node: gast.Call, env: Env) -> Value:
        """obj(x), where obj is a function that travels, or has a `__call__`."""
        choices = self.choices_of(target)
        if len(choices) > 1:
            return self.chosen(choices, target, node, node.func, lambda function: function, env)
        if not choices and target.known is not None and closure_of(target.known.value) is not None:
            return BOTTOM  # none was made yet
        code = closure_of(choices[0]) if choices else None
        if code is not None:
            return self.call_text(code, node, env, target)
        if target.code:
            return self.meant(node, lambda: gast.Call(self.given(choices[0]), node.args, node.keywords), env)
        return self.interpreter.classes.meaning_of_object_call(target, node, env)

    def choices_of(self, target: Value) -> list[Any]:
        """What a value that is called may be: functions that exist already, and classes of objects."""
        classes = {kind_of(c.cls): c.cls for c in self.program.cells(target) if c.cls is not None}
        return [*(k.value for k in target.code or ()), *(classes[k] for k in sorted(classes))]

    def chosen(
        self, choices: list[Any], target: Value, node: gast.Call, function: gast.expr, made: Callable[[gast.expr], gast.expr], env: Env
    ) -> Value:
        """One of several functions, told apart when the program runs; `made`: what is called, by the function."""
        classes = [c for c in choices if any(c is cell.cls for cell in self.program.cells(target))]
        positional, keywords = self.arguments(node, env)
        every = [target, *positional, *keywords.values()]
        if not any(self.varied(v) for v in every):
            for value in every:
                self.changes(self.interpreter.statement, value)
            return self.unknown(node, *every)
        for cell in self.program.cells(target):
            if closure_of(cell.cls) is not None:
                self.program.mark(cell, "varied")  # it is asked which function it is

        def build(held: str) -> gast.expr:
            chosen: gast.expr | None = None
            for choice in reversed(choices):
                one: gast.expr = name(held) if choice in classes else self.given(choice)
                one.narrowed = kind_of(choice) if choice in classes else None
                called = gast.Call(made(one), clone(node.args), clone(node.keywords))
                test = self._test(held, choice, choice in classes)
                chosen = called if chosen is None else gast.IfExp(test, called, chosen)
            assert chosen is not None
            return chosen

        return self.meant(node, lambda: self.let([function], build, "held"), env, *map(id, choices))

    def _test(self, held: str, choice: Any, is_class: bool) -> gast.expr:
        if closure_of(choice) is not None:
            return expression("held._text == label", held=held, label=constant(choice.text))
        return expression("type(h) is c" if is_class else "h == c", h=held, c=self.given(choice))

    def narrow(self, value: Value, kind: tuple[Any, ...]) -> Value:
        """The objects of one class among those that a value may be."""
        cells = {s: self.program.heap[s] for s in value.sites if s in self.program.heap}
        found = {s: c.cls for s, c in cells.items() if c.cls is not None and kind_of(c.cls) == kind}
        known = Known(next(iter(found.values()))) if found else None
        return Value("object", sites=frozenset(found), known=known, unbound=value.unbound) if found else BOTTOM

    def _dispatched_by_type(self, thing: Any, node: gast.Call, env: Env) -> Any:
        """Which of the functions of a functools.singledispatch a call runs."""
        if not (isinstance(thing, types.FunctionType) and hasattr(thing, "registry") and hasattr(thing, "dispatch") and node.args):
            return None
        cls = class_of(self.value(node.args[0], env))
        found = thing.dispatch(cls) if cls is not None else None
        return found if isinstance(found, FUNCTIONS) else None

    # -- functions that hold others -----------------------------------------------------------

    def call_known(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """Methods and partial functions that exist already, by what they call."""
        if isinstance(thing, functools.partial):
            named = [gast.keyword(k, self.given(v)) for k, v in thing.keywords.items() if k not in {w.arg for w in node.keywords}]
            first = [self.given(a) for a in thing.args]
            return self.meant(
                node, lambda: gast.Call(self.given(thing.func), [*first, *node.args], [*named, *node.keywords]), env
            )
        implementation = self._dispatched_by_type(thing, node, env)
        if implementation is not None:
            return self.meant(node, lambda: gast.Call(self.given(implementation), node.args, node.keywords), env, implementation)
        cls = getattr(thing, "__self__", None)
        if isinstance(cls, type) and hasattr(cls, "_fields") and thing == getattr(cls, "_make", None):
            spread = [gast.Starred(a, gast.Load()) for a in node.args]
            return self.meant(node, lambda: gast.Call(self.given(cls), spread, []), env)
        if isinstance(thing, types.MethodType) and isinstance(thing.__func__, FUNCTIONS) and not is_library(thing.__func__):
            owner = self.given(thing.__self__)
            return self.meant(node, lambda: gast.Call(self.given(thing.__func__), [owner, *node.args], node.keywords), env)
        return None


def class_of(value: Value) -> type | None:
    """The Python class of what a value stands for, where there is but one."""
    plain = {"float": float, "int": int, "bool": bool, "complex": complex, "list": list, "dict": dict, "array": np.ndarray}
    if value.kind in plain and not (value.dtype and value.kind != "array") and not value.optional:
        return plain[value.kind]
    if value.kind == "tuple":
        return value.code or tuple
    known = value.known.value if value.kind == "object" and value.known is not None and not value.optional else None
    return known if isinstance(known, type) and closure_of(known) is None else None


def closure_of(cls: Any) -> Code | None:
    """The text that the objects of a class run, where it is a function's."""
    return getattr(cls, "code", None) if isinstance(cls, type) and issubclass(cls, Closure) else None


def kind_of(cls: Any) -> tuple[Any, ...]:
    """What objects that are called alike have in common; functions of the text come last, and need no test there."""
    code = closure_of(cls)
    return (False, cls.__module__, cls.__qualname__, id(cls)) if code is None else (True, code.file, cls.text)
