"""Abstract values of new objects of user classes, and the calls that make them written out.

layer = Layer(w)   →   layer = object.__new__(Layer); Layer.__init__(layer, w)
step = Step(0.1)   →   of a dataclass: its fields one by one, then __post_init__
"""

import ast
import collections
import contextlib
import dataclasses
import enum
import inspect
import types
from typing import Any

import gast

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.protocols import is_plain, method_of
from pullback.compiler.analysis.spreading import taken_by_class
from pullback.compiler.analysis.values import OPAQUE, Known, Value
from pullback.compiler.frontend import equivalents
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import expression, loaded, name
from pullback.runtime.shadows import Shadow

DISPLAYS: dict[Any, Any] = {list: lambda: gast.List([], gast.Load()), dict: lambda: gast.Dict([], [])}


class Construction(Part):
    """The transfer function of calls of classes."""

    def construct(self, cls: type, node: gast.Call, env: Env) -> Value:
        """The value of calling a class."""
        if isinstance(node.func, gast.Subscript):  # Stack[float]()
            return self.meant(node, lambda: gast.Call(self.given(cls), node.args, node.keywords), env, cls)
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values()]
        initialised = is_plain(cls) and method_of(cls, "__init__") is not None
        spreads = any(isinstance(a, gast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
        if not initialised and (spreads or any(self.varied(v) for v in every)):
            if spreads and not self._told(node, env) and not any(self.varied(v) for v in every):
                return self._unread(cls, node, every)
            spread = self.interpreter.spreading.meaning_of_call(node, taken_by_class(cls), env, whole=True)
            if spread is not None:
                return spread
        if cls is contextlib.nullcontext:
            made = self.given(equivalents.NullContext)
            return self.meant(node, lambda: gast.Call(made, node.args, node.keywords), env)
        if issubclass(cls, enum.Enum) and len(positional) == 1:
            return self.member(cls, positional[0])
        if issubclass(cls, BaseException):
            self.program.carried_by_exception(*every)
        if issubclass(cls, tuple) and hasattr(cls, "_fields") and method_of(cls, "__new__") is None:
            named = dict(zip(cls._fields, positional)) | keywords
            defaults = getattr(cls, "_field_defaults", {})
            items = tuple(named.get(f) or self.program.value_of(defaults.get(f), f"default {f}") for f in cls._fields)
            return Value("tuple", items=items, code=cls)
        if cls in (types.SimpleNamespace, Shadow):
            return self.new_object(cls, node, keywords)
        if dataclasses.is_dataclass(cls) and is_plain(cls) and not method_of(cls, "__init__"):
            return self._construct_dataclass(cls, node, positional, keywords, env)
        if initialised:
            return self.meant(node, lambda: self._initialised(node), env, cls)
        if is_plain(cls) and inspect.getattr_static(cls, "__init__") is object.__dict__["__init__"] and not every:
            return self.new_object(cls, node, {})
        return self._unread(cls, node, every)

    def _told(self, node: gast.Call, env: Env) -> bool:
        """Is it known how much the starred arguments of a call hold?"""
        counts = [self.count(self.value(a, env)) for a in node.args if isinstance(a, gast.Starred)]
        keys = [self.settled_keys(self.value(k.value, env)) for k in node.keywords if k.arg is None]
        return None not in counts and None not in keys

    def _unread(self, cls: type, node: gast.Call, every: list[Value]) -> Value:
        if any(self.varied(v) for v in every) and not issubclass(cls, BaseException):
            self.refuse(
                node,
                "no-rule",
                f"no derivative rule for `{cls.__name__}`",
                f"`{cls.__name__}` is opaque: pullback cannot read its constructor.",
                "keep the values in a list, a dict or an array",
            )
        return self.unknown(node, *every)

    def _initialised(self, node: gast.Call) -> gast.expr:
        """object.__new__(C), then C.__init__ of it."""
        held = self.fresh("instance")
        made = gast.Call(expression("object.__new__"), [node.func], [])
        init = gast.Attribute(loaded(node.func), "__init__", gast.Load())
        run = gast.Expr(gast.Call(init, [name(held), *node.args], node.keywords))
        return Let([gast.NamedExpr(name(held, store=True), made), run], name(held))

    # -- dataclasses --------------------------------------------------------------------------

    def _construct_dataclass(
        self, cls: Any, node: gast.Call, positional: list[Value], keywords: dict[str, Value], env: Env
    ) -> Value:
        fields = [f for f in cls.__dataclass_fields__.values() if f._field_type is not dataclasses._FIELD_CLASSVAR]  # type: ignore[attr-defined]
        accepted = [f for f in fields if f.init]
        ordered = [f.name for f in accepted if not f.kw_only]
        given = dict(zip(ordered, positional)) | keywords
        made = [f for f in accepted if f.name not in given and f.default_factory is not dataclasses.MISSING]
        if made:
            return self.meant(node, lambda: self._with_factories(node, made), env, cls)
        stepwise = method_of(cls, "__post_init__") is not None or any(_is_made_inside(f) for f in fields)
        if stepwise and cls.__dataclass_params__.frozen:
            return self._unread(cls, node, list(given.values()))
        if stepwise:
            return self.meant(node, lambda: self._field_by_field(node, fields, ordered), env, cls)
        values = {f.name: self.program.value_of(f.default, f"default {f.name}") for f in accepted if f.name not in given}
        return self.new_object(cls, node, values | given)

    def _with_factories(self, node: gast.Call, fields: list[Any]) -> gast.expr:
        """C(x) → C(x, log=list()), each default made at the call."""
        more = [gast.keyword(f.name, self.made(f)) for f in fields]
        return gast.Call(node.func, node.args, [*node.keywords, *more])

    def made(self, field: Any) -> gast.expr:
        factory = field.default_factory
        return DISPLAYS[factory]() if factory in DISPLAYS else gast.Call(self.given(factory), [], [])

    def _field_by_field(self, node: gast.Call, fields: list[Any], ordered: list[str]) -> gast.expr:
        """The fields written one by one, then `__post_init__`, which gets those that are for it alone."""
        held = self.fresh("instance")
        texts = dict(zip(ordered, node.args)) | {k.arg: k.value for k in node.keywords}
        run: list[Any] = [
            gast.NamedExpr(name(held, store=True), gast.Call(expression("object.__new__"), [node.func], []))
        ]
        passed: list[gast.expr] = []
        for f in fields:
            if not f.init and f.default_factory is dataclasses.MISSING:
                continue
            value = texts.get(f.name) if f.init else self.made(f)
            value = value or self.given(f.default)
            if f._field_type is dataclasses._FIELD_INITVAR:  # type: ignore[attr-defined]
                passed.append(name(self.fresh(f.name)))
                target: gast.expr = name(passed[-1].id, store=True)  # type: ignore[attr-defined]
            else:
                target = gast.Attribute(name(held), f.name, gast.Store())
            run.append(gast.Assign([target], value, None))
        if hasattr(self.facts.resolved[node], "__post_init__"):
            after = gast.Attribute(loaded(node.func), "__post_init__", gast.Load())
            run.append(gast.Expr(gast.Call(after, [name(held), *passed], [])))
        return Let(run, name(held))

    def call_replace(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """dataclasses.replace(p, x=a) → P(x=a, y=p.y)."""
        known = positional[0].known
        if not any(self.varied(v) for v in [*positional, *keywords.values()]):
            return OPAQUE
        if known is None or positional[0].kind != "object":
            self.refuse(
                node,
                "replace",
                "cannot follow `replace` of this object",
                "Which class it is of is not known before the program runs.",
                "call the class with a value for each field",
            )
            return self.lost(*positional, *keywords.values())
        cls = known.value
        fields = [f.name for f in dataclasses.fields(cls) if f.init]
        spread = self.interpreter.spreading.meaning_of_replacement(node, node.args[0], fields, env)
        if spread is not None:
            return spread
        texts = {k.arg: k.value for k in node.keywords}

        def build(held: str) -> gast.expr:
            values = [texts.get(f) or gast.Attribute(name(held), f, gast.Load()) for f in fields]
            return gast.Call(self.given(cls), [], [gast.keyword(f, v) for f, v in zip(fields, values)])

        return self.meant(node, lambda: self.let(node.args[:1], build, "old"), env, cls)

    def call_new_object(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        known = positional[0].known if positional else None
        return self.new_object(known.value, node, {}) if known is not None else OPAQUE

    def call_namedtuple(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """namedtuple("Point", "x y"): the class, made here."""
        try:
            values = [ast.literal_eval(gast.gast_to_ast(a)) for a in node.args]
            options = {k.arg or "**": ast.literal_eval(gast.gast_to_ast(k.value)) for k in node.keywords}
            make: Any = collections.namedtuple
            made = make(*values, **options)
        except (ValueError, TypeError):
            return self.unknown(node, *positional, *keywords.values())
        return self.meant(node, lambda: self.given(made), env)

    def new_object(self, cls: type, node: gast.Call, fields: dict[str, Value]) -> Value:
        site = self.site(node, "object")
        cell = self.program.heap[site]
        cell.cls = cls
        for key, value in fields.items():
            self.program.put(cell, value, key)
        return Value("object", sites=frozenset([site]), known=Known(cls))



def _is_made_inside(field: Any) -> bool:
    """Does the constructor make a value for the field that no caller passes?"""
    made = not field.init and field.default_factory is not dataclasses.MISSING
    return made or field._field_type is dataclasses._FIELD_INITVAR  # type: ignore[attr-defined]
