"""What Python calls on objects of user classes behind operators, items, iteration and `super()`.

a + b              →   __add__(a, b), the class's
for v in bag:      →   for v in __iter__(bag):
super().step(x)    →   step(self, x), the next class's
"""

import inspect
import types
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import OPAQUE, Value
from pullback.compiler.frontend import equivalents
from pullback.compiler.frontend.code import is_library
from pullback.compiler.frontend.text_module import TextFunction
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import constant, loaded, name
from pullback.compiler.ir.walk import computes

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
CONVERSIONS: dict[Any, str] = {abs: "__abs__", float: "__float__"}
ITERATING = (list, tuple, sum, min, max, sorted, zip, enumerate, map, filter, reversed, any, all, set, dict)
FUNCTIONS = (types.FunctionType, TextFunction)


class Protocols(Part):
    """The functions of a class that its objects' operators, items and loops call."""


    # -- super() ------------------------------------------------------------------------------

    def of_super(self, node: gast.Call | gast.Attribute, env: Env) -> Value | None:
        """super().step(x) → step(self, x), super().size → size(self): by the class that comes next."""
        place = node.func if isinstance(node, gast.Call) else node
        if not (isinstance(place, gast.Attribute) and is_super(place.value)):
            return None
        own, this = self._class_around(place.value)
        if own is None or this is None:
            return self._refuse_super(node, env)
        value = self.value(name(this), env)
        cls = value.known.value if value.known is not None else own
        cls = cls if isinstance(cls, type) and own in cls.__mro__ else own
        following = cls.__mro__[cls.__mro__.index(own) + 1 :]
        found = next((vars(c)[place.attr] for c in following if place.attr in vars(c)), None)
        if isinstance(node, gast.Call) and isinstance(found, FUNCTIONS):
            return self.calling(node, found, [name(this), *node.args], env, node.keywords)
        if isinstance(node, gast.Attribute) and isinstance(found, property) and isinstance(found.fget, FUNCTIONS):
            return self.calling(node, found.fget, [name(this)], env)
        if isinstance(node, gast.Attribute) and isinstance(found, (int, float, np.ndarray)):
            owner = next(c for c in following if place.attr in vars(c))
            return self.meant(node, lambda: gast.Attribute(self.given(owner), place.attr, gast.Load()), env, owner)
        if found is object.__init__:
            return self.meant(node, lambda: constant(None), env)
        return self._refuse_super(node, env)

    def _class_around(self, inner: Any) -> tuple[Any, str | None]:
        """The class that a `super()` is written in, and the name of its object."""
        if inner.args:
            cls, this = (*inner.args, None)[:2]
            known = self.value(cls, {}).known
            return (known.value if known else None), this.id if isinstance(this, gast.Name) else None
        around = self.code.function
        cells = dict(zip(around.__code__.co_freevars, around.__closure__ or ())) if around is not None else {}
        if "__class__" not in cells or not self.code.parameters:
            return None, None
        return cells["__class__"].cell_contents, self.code.parameters[0]

    def _refuse_super(self, node: Any, env: Env) -> Value | None:
        if any(self.varied(v) for v in self.spec.parameters.values()):
            self.refuse(
                node,
                "super",
                "cannot follow this use of `super()`",
                "What it finds is not a plain method or property, or the class around it is not known.",
                "name the class, as in `Base.step(self, x)`",
            )
        return None

    # -- iteration ----------------------------------------------------------------------------

    def gone_through(self, node: gast.expr, env: Env) -> Value:
        """The value of what is gone through; of an object, of what its `__iter__` returns."""
        value = self.value(node, env)
        function = self.iterator_of(value)
        if function is not None:
            value = self.facts.types[node] = self.calling(node, function, [loaded(node)], env)
        return value

    def iterator_of(self, value: Value) -> Any:
        if value.kind == "list":
            return self.interpreter.sets.in_order(value)
        cls = value.known.value if value.kind == "object" and value.known else None
        if cls is not None and not hasattr(cls, "__iter__") and method_of(cls, "__getitem__") and method_of(cls, "__len__"):
            return equivalents.indexed
        return method_of(cls, "__iter__") if cls is not None and method_of(cls, "__next__") is None else None

    def meaning_over_objects(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """sum(bag) → sum(__iter__(bag))."""
        if not any(thing is i for i in ITERATING):
            return None
        values = [self.value(a, env) for a in node.args]
        functions = [self.iterator_of(v) for v in values]
        asking = [self.interpreter.generators.own_iterator(v) is not None for v in values]
        if not any(functions) and not any(asking):
            return None

        def build() -> gast.expr:
            sources = [gast.Call(self.given(f), [a], []) if f else a for f, a in zip(functions, node.args)]
            sources = [self.interpreter.generators.asking(v, s) for v, s in zip(values, sources)]
            return gast.Call(node.func, sources, node.keywords)

        return self.meant(node, build, env, *functions)

    def refuse_conversion(self, node: gast.AST) -> None:
        self.refuse(
            node,
            "object",
            "cannot follow what this makes of an object",
            "It converts the object in a way of its own, such as `__float__` or `__array__`.",
            "pass the number or array that the object holds",
        )

    # -- operators ----------------------------------------------------------------------------

    def meaning_of_operator(
        self, node: Any, op: gast.operator, left: Value, right: Value, sides: Any, env: Env
    ) -> Value | None:
        """a + b with `__add__` or `__radd__` of a user class."""
        word = BINARY.get(type(op))
        if word is None or class_of(left) is class_of(right) is None:
            return None
        attempts = [(left, f"__{word}__", sides), (right, f"__r{word}__", sides[::-1])]
        if isinstance(node, gast.AugAssign):
            attempts.insert(0, (left, f"__i{word}__", sides))
        for value, method, arguments in attempts:
            function = method_of(class_of(value), method) if class_of(value) is not None else None
            if function is not None:
                return self.calling(node, function, arguments, env)
        return None

    def meaning_of_item(self, base: Value, node: gast.Subscript, env: Env) -> Value | None:
        """obj[i] with `__getitem__` of a user class."""
        function = method_of(base.known.value, "__getitem__") if base.kind == "object" and base.known else None
        if function is None:
            return None
        return self.calling(node, function, [node.value, index_of(node.slice)], env)

    def meaning_of_conversion(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """abs(obj), float(obj) with `__abs__`, `__float__` of a user class."""
        word = CONVERSIONS.get(thing)
        value = self.value(node.args[0], env) if word is not None and len(node.args) == 1 else OPAQUE
        function = method_of(class_of(value), word) if word and class_of(value) is not None else None
        return self.calling(node, function, node.args, env) if function is not None else None

    def deleted(self, target: gast.Subscript, base: Value, env: Env) -> None:
        """del obj[i] with `__delitem__` of a user class."""
        function = method_of(base.known.value, "__delitem__") if base.known else None
        if function is not None:
            self.calling(target, function, [target.value, index_of(target.slice)], env)
        elif self.varied(base):
            self.interpreter.classes.hidden(base, "__delitem__", target)

    def set_item(self, base: Value) -> Any:
        """The function that `obj[i] = v` calls."""
        return method_of(base.known.value, "__setitem__") if base.kind == "object" and base.known else None

    def is_set_by_call(self, target: gast.expr, env: Env) -> bool:
        """Is the target a property, or an item of an object?"""
        base = self.value(target.value, env) if isinstance(target, (gast.Attribute, gast.Subscript)) else OPAQUE
        if base.kind != "object":
            return False
        if isinstance(target, gast.Subscript):
            return self.set_item(base) is not None
        return self.interpreter.classes.setter(base, target) is not None

    def augmented(self, s: gast.AugAssign, env: Env) -> Value:
        """obj.p += v: new = obj.p; new += v, which is what obj.p is set to."""
        if computes(s.target):
            self.refuse(
                s,
                "augmented",
                "cannot follow this augmented assignment",
                "Its target is read and set by functions of a class, and holds a call.",
                "give what is called a name first",
            )
        return self.meant(s, lambda: self._augmented_value(s), env)

    def _augmented_value(self, s: gast.AugAssign) -> gast.expr:
        held = self.fresh("new")
        change = gast.AugAssign(name(held, store=True), s.op, s.value)
        return Let([gast.NamedExpr(name(held, store=True), loaded(s.target)), change], name(held))

    def meaning_of_unary(self, node: gast.UnaryOp, operand: Value, env: Env) -> Value | None:
        word = UNARY.get(type(node.op))
        function = method_of(class_of(operand), word) if class_of(operand) is not None and word else None
        if function is None:
            return None
        return self.calling(node, function, [node.operand], env)

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


def class_of(value: Value) -> Any:
    """The class of the user's that an object, or a named tuple, is of."""
    if value.kind == "object" and value.known is not None:
        return value.known.value
    return value.code if value.kind == "tuple" and isinstance(value.code, type) else None


def method_of(cls: Any, word: str) -> Any:
    """The function that a class of the user's has under this name; None for one that cannot be read."""
    found = inspect.getattr_static(cls, word, None)
    if isinstance(found, (staticmethod, classmethod)):
        found = found.__func__
    return found if readable(found) else None


def readable(function: Any) -> bool:
    """Is it a function of the user's with a text?"""
    user = isinstance(function, FUNCTIONS) and not is_library(function)
    return user and not function.__code__.co_filename.startswith("<string>")


def is_plain(cls: type) -> bool:
    """Are its instances made by `object`, and is it the user's?"""
    made = inspect.getattr_static(type(cls), "__call__") is type.__dict__["__call__"]
    made = made and inspect.getattr_static(cls, "__new__") is object.__dict__["__new__"]
    return made and not issubclass(cls, BaseException)


def index_of(part: gast.expr) -> gast.expr:
    """An index as an ordinary value."""
    if isinstance(part, gast.Slice):
        bounds = [constant(None) if p is None else p for p in (part.lower, part.upper, part.step)]
        return gast.Call(name("slice"), bounds, [])
    if isinstance(part, gast.Tuple):
        return gast.Tuple([index_of(e) for e in part.elts], gast.Load())
    return part


def is_super(node: Any) -> bool:
    """super() means nothing outside its class."""
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "super"
