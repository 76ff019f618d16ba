"""Abstract values of what objects of user classes have: fields, properties, methods.

What Python calls behind the text is written out where active values go through it:

    spring.energy      →   energy(spring), the property's function
    shape.area()       →   area(shape); of one of several classes, a choice by `type(shape)`
"""

import enum
import functools
import inspect
import types
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.functions import closure_of
from pullback.compiler.analysis.meaning import plain_parameters
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Code, Env
from pullback.compiler.analysis.protocols import FUNCTIONS, method_of, readable
from pullback.compiler.analysis.values import BOTTOM, OPAQUE, Value
from pullback.compiler.frontend.code import code_of, is_library
from pullback.compiler.frontend.derivatives import Derivative
from pullback.compiler.ir.template import constant, expression, name

OF_CLOSURES = ("_text", "_function")  # what each of them has beside what it captures


class Classes(Part):
    """The transfer function of instances of user classes."""


    # -- attributes ---------------------------------------------------------------------------

    def classes_of(self, base: Value) -> list[Any]:
        """The classes that an object may be of."""
        if base.known is not None:
            return [base.known.value]
        found = {c.cls for c in self.program.cells(base) if c.cls is not None}
        return sorted(found, key=lambda c: c.__qualname__)

    def object_attribute(self, base: Value, word: str, node: Any, env: Env) -> Value:
        """A field, a property, or an attribute of the class."""
        classes = self.classes_of(base)
        things = [inspect.getattr_static(c, word, None) for c in classes]
        if word == "__class__" and len(classes) == 1:
            return self.program.value_of(classes[0], f"global {classes[0].__name__}")
        if any(method_of(c, "__getattribute__") for c in classes):
            return self.hidden(base, word, node)
        if any(isinstance(t, property) for t in things) and isinstance(node, gast.Attribute):
            owners = [c for c, t in zip(classes, things) if t is not None]  # of the others Python raises
            return self.property(base, owners, [t for t in things if t is not None], node, env)
        cached = self.interpreter.attributes.cached(base, things, node, env)
        if cached is not None:
            return cached
        found = [c.fields[word] for c in self.program.cells(base) if word in c.fields]
        if word in ("value", "name") and all(issubclass(c, enum.Enum) for c in classes):
            found = [c.fields[f"_{word}_"] for c in self.program.cells(base)]
        data = not any(hasattr(type(t), "__get__") for t in things) and (found or any(t is not None for t in things))
        if data and any(c.open for c in self.program.cells(base)) and not self.varied(base) and word != "__dict__":
            return self.lost(base)  # whatever was put there
        if found:
            return self.joined(found)
        if word == "__dict__":
            for cell in self.program.cells(base):
                self.program.mark(cell, "open")
            return self.hidden(base, word, node)
        if any(c.open for c in self.program.cells(base)) and all(t is None for t in things):
            self.refuse(
                node,
                "attribute",
                f"cannot follow the field `{word}`, which may have been set through `__dict__`",
                "What is written to the dict of an object by keys is not followed.",
                "set the fields by their names",
            )
            return self.lost(base)
        if all(t is None for t in things) and any(method_of(c, "__getattr__") for c in classes):
            return self._computed(base, classes, word, node, env)
        known = {id(t): t for t in things if t is not None and not isinstance(t, types.MemberDescriptorType)}
        captured = {n for c in map(closure_of, classes) if c is not None for n in (*c.captured, *OF_CLOSURES)}
        if not known and captured and word not in captured:
            return self.interpreter.functions.refuse_attribute(node)
        if not known:
            return BOTTOM if classes and word not in OF_CLOSURES else OPAQUE  # nothing was written there yet
        return self.joined([self._of_class(base, t, word, node, env) for t in known.values()])

    def _of_class(self, base: Value, thing: Any, word: str, node: Any, env: Env) -> Value:
        """What an object has from its class."""
        if isinstance(thing, (int, float, list, dict, tuple, np.ndarray)) and not isinstance(thing, bool):
            return self.program.value_of(thing, f"global {word}")
        if isinstance(thing, (*FUNCTIONS, staticmethod, classmethod)):
            return self._bound(base, thing, node, env)
        return self._descriptor(base, word, node) if hasattr(thing, "__get__") else OPAQUE

    def _bound(self, base: Value, thing: Any, node: Any, env: Env) -> Value:
        """A method as a value: f = body.energy → f = lambda *rest: energy(body, *rest), of the body as it is now."""
        if isinstance(thing, staticmethod):
            return self.program.value_of(thing.__func__, f"global {thing.__func__.__name__}")
        function: Any = thing.__func__ if isinstance(thing, classmethod) else thing
        classes = self.classes_of(base)
        if not readable(function) or not isinstance(node, gast.Attribute) or len(classes) > 1 and function is not thing:
            return self.lost(base)
        code = code_of(function, self.program)
        names = plain_parameters(code)[1:] if isinstance(code, Code) else []

        def build(held: str) -> gast.expr:
            owner = name(held) if function is thing else self.given(classes[0])
            return self.interpreter.meanings.forwarding(self.given(function), [owner], names)

        return self.meant(node, lambda: self.let([node.value], build, "held", anew=True), env, thing)

    def _computed(self, base: Value, classes: list[Any], word: str, node: Any, env: Env) -> Value:
        """obj.word, which no class has: __getattr__(obj, "word")."""
        if len(classes) == 1 and isinstance(node, gast.Attribute):
            return self.calling(node, method_of(classes[0], "__getattr__"), [node.value, constant(word)], env)
        return self.hidden(base, word, node)

    def hidden(self, base: Value, word: str, node: Any) -> Value:
        if self.varied(base):
            self.refuse(
                node,
                "attribute",
                f"cannot follow the attribute `{word}` of an object",
                "Active values may come out of it by another way than the fields' own names.",
                "read the fields by their names",
            )
        return self.lost(base)

    def _descriptor(self, base: Value, word: str, node: Any) -> Value:
        if self.varied(base):
            self.refuse(
                node,
                "property",
                f"cannot follow the property `{word}`",
                "What computes it is not a plain function of the class.",
                "call a plain function of the fields",
            )
        return OPAQUE

    def property(self, base: Value, classes: list[Any], things: list[Any], node: gast.Attribute, env: Env) -> Value:
        getters = [t.fget if isinstance(t, property) else None for t in things]
        if not all(isinstance(g, FUNCTIONS) and not is_library(g) for g in getters):
            return self._descriptor(base, node.attr, node)
        if len(set(getters)) == 1:
            return self.calling(node, getters[0], [node.value], env)
        return self._dispatched(classes, getters, node, [node.value], [], env)

    def setter(self, base: Value, target: gast.Attribute) -> Any:
        """The function that `target = v` calls, where the target is a property; refused where it cannot be told."""
        classes = self.classes_of(base)
        things = [inspect.getattr_static(c, target.attr, None) for c in classes]
        if any(method_of(c, "__setattr__") for c in classes) or any(_sets(t) for t in things):
            self.hidden(base, target.attr, target)
        setters = {t.fset if isinstance(t, property) else None for t in things}
        if len(setters) > 1:
            self.hidden(base, target.attr, target)
        found = next(iter(setters), None)
        return found if len(setters) == 1 and isinstance(found, FUNCTIONS) else None

    # -- methods ------------------------------------------------------------------------------

    def call_method(self, base: Value, word: str, node: gast.Call, env: Env) -> Value:
        classes = self.classes_of(base)
        cls = classes[0] if len(classes) == 1 else None
        if any(word in c.fields for c in self.program.cells(base)):  # a function kept in a field
            return self.interpreter.calls.call_value(self.value(node.func, env), node, env)
        function = inspect.getattr_static(cls, word, None) if cls is not None else None
        if word == "__class__" and cls is not None:
            return self.interpreter.construction.construct(cls, node, env)
        owned = [method_of(c, word) for c in classes]
        if len(classes) > 1 and all(f is not None for f in owned) and isinstance(node.func, gast.Attribute):
            return self._dispatched(classes, owned, node, [node.func.value, *node.args], node.keywords, env)
        if isinstance(function, staticmethod):
            return self.interpreter.calls.call_function(function.__func__, node, env)
        if isinstance(function, classmethod):
            if isinstance(node.func, gast.Attribute) and base.kind == "object":  # asked of an object
                return self.calling(node, function.__func__, [self.given(cls), *node.args], env, node.keywords)
            owner = self.program.value_of(cls, f"global {word}")
            return self.interpreter.calls.call_function(function.__func__, node, env, owner)
        if isinstance(function, FUNCTIONS):
            return self.interpreter.calls.call_function(function, node, env, base)
        if isinstance(function, Derivative) and isinstance(node.func, gast.Attribute):
            return self.calling(node, function, [node.func.value, *node.args], env, node.keywords)
        if isinstance(function, functools.partialmethod) and readable(function.func) and isinstance(node.func, gast.Attribute):
            given = [node.func.value, *(self.given(a) for a in function.args), *node.args]
            named = [gast.keyword(k, self.given(v)) for k, v in function.keywords.items() if k not in {w.arg for w in node.keywords}]
            return self.calling(node, function.func, given, env, [*named, *node.keywords])
        positional, keywords = self.arguments(node, env)
        if self.varied(base) or any(self.varied(v) for v in [*positional, *keywords.values()]):
            self.refuse(
                node,
                "method",
                f"cannot follow the method `{word}`",
                "Its class is not known here, or it has no source.",
                "call a plain function of the fields",
            )
        for value in [base, *positional, *keywords.values()]:
            self.changes(self.interpreter.statement, value)
        return OPAQUE

    def _dispatched(
        self, classes: list[Any], functions: list[Any], node: Any, given: list[Any], keywords: list[Any], env: Env
    ) -> Value:
        """item.value(x), of one of several classes: a choice by `type(item)`."""

        def build(held: str, *others: str) -> gast.expr:
            arguments, named = others[: len(given) - 1], others[len(given) - 1 :]
            chosen: gast.expr | None = None
            for cls, function in zip(classes, functions):
                words = [gast.keyword(k.arg, name(a)) for k, a in zip(keywords, named)]
                called = gast.Call(self.given(function), [name(held), *map(name, arguments)], words)
                test = expression("type(t) is c", t=held, c=self.given(cls))
                chosen = called if chosen is None else gast.IfExp(test, called, chosen)
            assert chosen is not None
            return chosen

        every = [*given, *(k.value for k in keywords)]
        return self.meant(node, lambda: self.let(every, build, "held"), env, *classes)

    def meaning_of_object_call(self, base: Value, node: gast.Call, env: Env) -> Value:
        """obj(x) with `__call__` of a user class."""
        function = method_of(base.known.value, "__call__") if base.known else None
        if function is None:
            return self.call_method(base, "__call__", node, env)
        return self.calling(node, function, [node.func, *node.args], env, node.keywords)



def _sets(thing: Any) -> bool:
    """Is this a descriptor of the user's that sees what is assigned?"""
    return hasattr(type(thing), "__set__") and not isinstance(thing, (property, types.MemberDescriptorType))
