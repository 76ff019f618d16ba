"""Abstract values of user classes: construction, attributes, properties, methods, operators.

What Python calls behind the text is written out where active values go through it:

    layer = Layer(w)      →   layer = object.__new__(Layer); Layer.__init__(layer, w)
    spring.energy         →   energy(spring), the property's function
    a + b                 →   __add__(a, b), the class's
    super().step(x)       →   step(self, x), the next class's
"""

import dataclasses
import inspect
import types
from typing import Any

import gast

from pullback.compiler.analysis.meaning import Meanings
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import BOTTOM, OPAQUE, Known, Value
from pullback.compiler.frontend.code import is_library
from pullback.compiler.frontend.text_module import TextFunction
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import constant, expression, loaded, name

BINARY: dict[type, str] = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "truediv",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.BitOr: "or",
    gast.BitAnd: "and",
    gast.BitXor: "xor",
}
UNARY: dict[type, str] = {gast.USub: "__neg__", gast.UAdd: "__pos__", gast.Invert: "__invert__"}
FUNCTIONS = (types.FunctionType, TextFunction)


class Classes(Meanings):
    """The transfer function of instances of user classes."""

    _call_function: Any
    call_value: Any

    # -- construction -------------------------------------------------------------------------

    def construct(self, cls: type, node: gast.Call, env: Env) -> Value:
        """The value of calling a class."""
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values()]
        if issubclass(cls, BaseException) and any(self.varied(v) for v in every):
            self.program.carried_by_exception()
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            named = dict(zip(cls._fields, positional)) | keywords
            defaults = getattr(cls, "_field_defaults", {})
            items = tuple(named.get(f) or self.program.value_of(defaults.get(f), f"default {f}") for f in cls._fields)
            return Value("tuple", items=items, code=cls)
        if cls is types.SimpleNamespace:
            return self._new_object(cls, node, keywords)
        if dataclasses.is_dataclass(cls) and not self._own(cls, "__init__"):
            return self._construct_dataclass(cls, node, positional, keywords, env)
        if self._plain(cls) and self._own(cls, "__init__") is not None:
            return self.meant(node, lambda: self._initialised(node), env, cls)
        if self._plain(cls) and inspect.getattr_static(cls, "__init__") is object.__dict__["__init__"] and not every:
            return self._new_object(cls, node, {})
        if any(self.varied(v) for v in every) and not issubclass(cls, BaseException):
            self.refuse(
                node,
                "no-rule",
                f"no derivative rule for `{cls.__name__}`",
                f"`{cls.__name__}` is opaque: pullback cannot read its constructor.",
                "keep the values in a list, a dict or an array",
            )
        return self.unknown(node, *every)

    def _plain(self, cls: type) -> bool:
        """Are its instances made by `object`, with a `__dict__`, and is it the user's?"""
        mine = type(cls) is type and inspect.getattr_static(cls, "__new__") is object.__dict__["__new__"] and cls.__dictoffset__ != 0
        return mine and not issubclass(cls, BaseException)

    def _own(self, cls: Any, word: str) -> Any:
        """The function that a class of the user's has under this name; None for one that cannot be read."""
        found = inspect.getattr_static(cls, word, None)
        if isinstance(found, (staticmethod, classmethod)):
            found = found.__func__
        readable = isinstance(found, FUNCTIONS) and not is_library(found) and self._has_source(found)
        return found if readable else None

    def _has_source(self, function: Any) -> bool:
        return not function.__code__.co_filename.startswith("<string>")

    def _initialised(self, node: gast.Call) -> gast.expr:
        """object.__new__(C), then C.__init__ of it."""
        held = self.fresh("instance")
        made = gast.Call(expression("object.__new__"), [node.func], [])
        init = gast.Attribute(_again(node.func), "__init__", gast.Load())
        run = gast.Expr(gast.Call(init, [name(held), *node.args], node.keywords))
        return Let([gast.NamedExpr(name(held, store=True), made), run], name(held))

    def _construct_dataclass(
        self, cls: Any, node: gast.Call, positional: list[Value], keywords: dict[str, Value], env: Env
    ) -> Value:
        fields = [f for f in dataclasses.fields(cls) if f.init]
        given = dict(zip((f.name for f in fields), positional)) | keywords
        made = [f for f in fields if f.name not in given and f.default_factory is not dataclasses.MISSING]
        if made:
            return self.meant(node, lambda: self._with_factories(node, made), env, cls)
        if self._own(cls, "__post_init__") is not None:
            return self.meant(node, lambda: self._field_by_field(cls, node, fields), env, cls)
        values = {f.name: self.program.value_of(f.default, f"default {f.name}") for f in fields if f.name not in given}
        return self._new_object(cls, node, values | given)

    def _with_factories(self, node: gast.Call, fields: list[Any]) -> gast.expr:
        """C(x) → C(x, log=list()), each default made at the call."""
        displays: dict[Any, Any] = {list: lambda: gast.List([], gast.Load()), dict: lambda: gast.Dict([], [])}
        more = [
            gast.keyword(
                f.name,
                displays[f.default_factory]()
                if f.default_factory in displays
                else gast.Call(self.given(f.default_factory), [], []),
            )
            for f in fields
        ]
        return gast.Call(node.func, node.args, [*node.keywords, *more])

    def _field_by_field(self, cls: Any, node: gast.Call, fields: list[Any]) -> gast.expr:
        """The fields written one by one, then `__post_init__`."""
        held = self.fresh("instance")
        texts = dict(zip((f.name for f in fields), node.args)) | {k.arg: k.value for k in node.keywords}
        run: list[Any] = [
            gast.NamedExpr(name(held, store=True), gast.Call(expression("object.__new__"), [node.func], []))
        ]
        for f in fields:
            value = texts.get(f.name) or self.given(f.default)
            target = gast.Attribute(name(held), f.name, gast.Store())
            run.append(gast.Assign([target], value, None))
        after = gast.Attribute(_again(node.func), "__post_init__", gast.Load())
        run.append(gast.Expr(gast.Call(after, [name(held)], [])))
        return Let(run, name(held))

    def _call_new_object(self, positional: Any, keywords: Any, node: gast.Call) -> Value:
        known = positional[0].known if positional else None
        return self._new_object(known.value, node, {}) if known is not None else OPAQUE

    def _call_replace(self, positional: Any, keywords: Any, node: gast.Call) -> Value:
        """dataclasses.replace(p, x=a) → P(x=a, y=p.y)."""
        known = positional[0].known
        if known is None or not any(self.varied(v) for v in [*positional, *keywords.values()]):
            return OPAQUE
        cls = known.value
        texts = {k.arg: k.value for k in node.keywords}

        def build(held: str) -> gast.expr:
            fields = [f.name for f in dataclasses.fields(cls) if f.init]
            values = [texts.get(f) or gast.Attribute(name(held), f, gast.Load()) for f in fields]
            return gast.Call(self.given(cls), [], [gast.keyword(f, v) for f, v in zip(fields, values)])

        return self.meant(node, lambda: self.let(node.args[:1], build, "old"), self.env, cls)

    def _new_object(self, cls: type, node: gast.Call, fields: dict[str, Value]) -> Value:
        site = self.site(node, "object")
        cell = self.program.heap[site]
        cell.cls = cls
        for key, value in fields.items():
            self.program.put(cell, value, key)
        return Value("object", sites=frozenset([site]), known=Known(cls))

    # -- attributes and methods ---------------------------------------------------------------

    def object_attribute(self, base: Value, word: str, node: Any, env: Env) -> Value:
        """A field, a property, or an attribute of the class."""
        cls = base.known.value if base.known else None
        thing = inspect.getattr_static(cls, word, None) if cls is not None else None
        if isinstance(thing, property) and isinstance(node, gast.Attribute):
            return self._property(base, thing, word, node, env)
        found = [c.fields[word] for c in self.program.cells(base) if word in c.fields]
        if found:
            result = found[0]
            for other in found[1:]:
                result = self.program.joined(result, other)
            return result
        if self.varied(base) and (word == "__dict__" or isinstance(thing, types.MemberDescriptorType)):
            self.refuse(
                node,
                "attribute",
                f"cannot follow the attribute `{word}` of an object",
                "Active values may come out of it by another way than the fields' own names.",
                "read the fields by their names",
            )
            return self.lost(base)
        if isinstance(thing, (int, float, list, dict)) and not isinstance(thing, bool):
            return self.program.value_of(thing, f"global {word}")
        if (
            thing is not None
            and hasattr(thing, "__get__")
            and not isinstance(thing, (*FUNCTIONS, staticmethod, classmethod))
        ):
            return self._descriptor(base, word, node)
        if isinstance(thing, (*FUNCTIONS, staticmethod, classmethod)):
            return self._bound(base, thing)
        return OPAQUE if thing is not None or cls is None else BOTTOM  # nothing was written there yet

    def _bound(self, base: Value, thing: Any) -> Value:
        """A method as a value: of an inert object its own; of an active one it is followed only when called."""
        if isinstance(thing, staticmethod):
            return self.program.value_of(thing.__func__, f"global {thing.__func__.__name__}")
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

    def _property(self, base: Value, thing: property, word: str, node: gast.Attribute, env: Env) -> Value:
        if not isinstance(thing.fget, FUNCTIONS) or is_library(thing.fget):
            return self._descriptor(base, word, node)
        return self._calling(node, thing.fget, [node.value], env)

    def set_property(self, base: Value, target: gast.Attribute) -> Any:
        """The function that `target = v` calls, where the target is a property."""
        cls = base.known.value if base.known else None
        thing = inspect.getattr_static(cls, target.attr, None) if cls is not None else None
        return thing.fset if isinstance(thing, property) and isinstance(thing.fset, FUNCTIONS) else None

    def _call_method(self, base: Value, word: str, node: gast.Call, env: Env) -> Value:
        cls = base.known.value if base.known else None
        fields = [c.fields[word] for c in self.program.cells(base) if word in c.fields]
        if fields:  # a function kept in a field
            self.facts.types[node.func] = fields[0]
            return self.call_value(fields[0], node, env)
        function = inspect.getattr_static(cls, word, None) if cls is not None else None
        classes = sorted({c.cls for c in self.program.cells(base) if c.cls is not None}, key=lambda c: c.__qualname__)
        if cls is None and len(classes) > 1 and all(self._own(c, word) is not None for c in classes):
            return self._dispatched(classes, word, node, env)
        if isinstance(function, staticmethod):
            return self._call_function(function.__func__, node, env)
        if isinstance(function, classmethod):
            return self._call_function(function.__func__, node, env, self.program.value_of(cls, f"global {word}"))
        if isinstance(function, FUNCTIONS):
            return self._call_function(function, node, env, base)
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
            self.changes(self.statement, value)
        return OPAQUE

    def _dispatched(self, classes: list[Any], word: str, node: gast.Call, env: Env) -> Value:
        """item.value(x), of one of several classes: a choice by `type(item)`."""
        assert isinstance(node.func, gast.Attribute)
        owner = node.func.value

        def build(held: str, *arguments: str) -> gast.expr:
            given, named = arguments[: len(node.args)], arguments[len(node.args) :]
            chosen: gast.expr | None = None
            for cls in classes:
                keywords = [gast.keyword(k.arg, name(a)) for k, a in zip(node.keywords, named)]
                called = gast.Call(self.given(self._own(cls, word)), [name(held), *map(name, given)], keywords)
                test = expression("type(t) is c", t=held, c=self.given(cls))
                chosen = called if chosen is None else gast.IfExp(test, called, chosen)
            assert chosen is not None
            return chosen

        every = [owner, *node.args, *(k.value for k in node.keywords)]
        return self.meant(node, lambda: self.let(every, build, "held"), env, *classes)

    def meaning_of_object_call(self, base: Value, node: gast.Call, env: Env) -> Value:
        """obj(x) with `__call__` of a user class."""
        function = self._own(base.known.value, "__call__") if base.known else None
        if function is None:
            return self._call_method(base, "__call__", node, env)
        return self._calling(node, function, [node.func, *node.args], env)

    def of_super(self, node: gast.Call, env: Env) -> Value | None:
        """super().step(x) → step(self, x), by the class that comes next."""
        function = node.func
        if not (isinstance(function, gast.Attribute) and isinstance(function.value, gast.Call)):
            return None
        inner = function.value
        if not (isinstance(inner.func, gast.Name) and inner.func.id == "super" and not inner.args):
            return None
        around = self.code.function
        cells = dict(zip(around.__code__.co_freevars, around.__closure__ or ())) if around is not None else {}
        if "__class__" not in cells or not self.code.parameters:
            return None
        own, this = cells["__class__"].cell_contents, self.code.parameters[0]
        value = self.value(name(this), env)
        cls = value.known.value if value.known is not None else own
        cls = cls if isinstance(cls, type) else own
        following = cls.__mro__[cls.__mro__.index(own) + 1 :]
        found = next((vars(c)[function.attr] for c in following if function.attr in vars(c)), None)
        if isinstance(found, FUNCTIONS):
            return self._calling(node, found, [name(this), *node.args], env)
        if found is object.__init__:
            return self.meant(node, lambda: constant(None), env)
        return None

    # -- operators ----------------------------------------------------------------------------

    def meaning_of_operator(
        self, node: Any, op: gast.operator, left: Value, right: Value, sides: Any, env: Env
    ) -> Value | None:
        """a + b with `__add__` or `__radd__` of a user class."""
        word = BINARY.get(type(op))
        if word is None or "object" not in (left.kind, right.kind):
            return None
        attempts = [(left, f"__{word}__", sides), (right, f"__r{word}__", sides[::-1])]
        if isinstance(node, gast.AugAssign):
            attempts.insert(0, (left, f"__i{word}__", sides))
        for value, method, arguments in attempts:
            function = self._own(value.known.value, method) if value.kind == "object" and value.known else None
            if function is not None:
                return self._calling(node, function, arguments, env)
        return None

    def meaning_of_item(self, base: Value, node: gast.Subscript, env: Env) -> Value | None:
        """obj[i] with `__getitem__` of a user class."""
        function = self._own(base.known.value, "__getitem__") if base.kind == "object" and base.known else None
        if function is None:
            return None
        return self._calling(node, function, [node.value, index_of(node.slice)], env)

    def _calling(self, node: Any, function: Any, arguments: Any, env: Env) -> Value:
        """What stands for a node is a call of a function of the class."""
        keywords = getattr(node, "keywords", [])
        return self.meant(
            node, lambda: gast.Call(self.given(function), list(arguments), list(keywords)), env, function
        )

    def set_item(self, base: Value) -> Any:
        """The function that `obj[i] = v` calls."""
        return self._own(base.known.value, "__setitem__") if base.kind == "object" and base.known else None

    def meaning_of_unary(self, node: gast.UnaryOp, operand: Value, env: Env) -> Value | None:
        word = UNARY.get(type(node.op))
        function = self._own(operand.known.value, word) if operand.kind == "object" and operand.known and word else None
        if function is None:
            return None
        return self._calling(node, function, [node.operand], env)

    def overloaded(self, left: Value, right: Value, node: gast.AST) -> Value | None:
        """Operators of objects that nobody defines, or that cannot be read."""
        if "object" not in (left.kind, right.kind):
            return None
        if self.varied(left) or self.varied(right):
            self.refuse(
                node,
                "operator",
                "cannot follow this operator of an object",
                "The class does not define it as a plain method.",
                "call a plain function of the fields",
            )
        return OPAQUE

    lost: Any
    env: Env


def _again(node: gast.expr) -> gast.expr:
    """A second reading of a name or an attribute of one."""
    return loaded(node)


def index_of(part: gast.expr) -> gast.expr:
    """An index as an ordinary value."""
    if isinstance(part, gast.Slice):
        bounds = [constant(None) if p is None else p for p in (part.lower, part.upper, part.step)]
        return gast.Call(name("slice"), bounds, [])
    if isinstance(part, gast.Tuple):
        return gast.Tuple([index_of(e) for e in part.elts], gast.Load())
    return part
