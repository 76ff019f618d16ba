"""What names and copies the attributes of objects: getattr and its kin, cached properties, copy, dataclasses' and enums' own.

    getattr(o, "rate", 0.1)      →   o.rate if hasattr(o, "rate") else 0.1
    getattr(o, word)             →   o.rate if word == "rate" else o.size if word == "size" else ...
    setattr(o, "rate", v)        →   o.rate = v
    copy.copy(o)                 →   new = object.__new__(C); new.rate = o.rate; ...
    o.norm, a cached property    →   o.norm if is_set(o, "norm") else (o.norm := norm(o))
"""

import copy
import dataclasses
import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.protocols import is_plain, readable
from pullback.compiler.analysis.values import BOOL, NONE, OPAQUE, SCALARS, Value, attribute_site
from pullback.compiler.frontend import equivalents
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name
from pullback.runtime.copies import refuse_held_twice
from pullback.runtime.functions import is_set

OWN_COPY = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__")


class Attributes(Part):
    """The transfer function of what is done to attributes by name, or to all at once."""

    # -- by name ------------------------------------------------------------------------------

    def field(self, node: gast.Call, positional: list[Value]) -> gast.expr | None:
        """getattr(o, word), getattr(o, word, v)."""
        if len(positional) < 2:
            return None
        word = self._word_of(positional[1])
        thing = positional[0].known.value if positional[0].known is not None else None
        if isinstance(thing, types.ModuleType) and word is not None and hasattr(thing, word):
            return gast.Attribute(node.args[0], word, gast.Load())
        if positional[0].kind != "object":
            return None
        fallback = node.args[2] if len(node.args) == 3 else None
        if word is not None and fallback is None:
            return gast.Attribute(node.args[0], word, gast.Load())
        if word is not None:
            return self.let(node.args[:1], lambda o: self._if_there(o, word, fallback))
        fields = self._fields_of(positional[0])
        return self.let(node.args[:2], lambda o, w: self._one_of(o, w, fields, fallback)) if fields else None

    def _word_of(self, value: Value) -> str | None:
        word = value.known.value if value.known is not None else None
        return word if isinstance(word, str) else None

    def _if_there(self, o: str, word: str, fallback: Any) -> gast.expr:
        return gast.IfExp(expression(f"hasattr({o}, {word!r})"), gast.Attribute(name(o), word, gast.Load()), fallback)

    def _one_of(self, o: str, w: str, fields: list[str], fallback: Any) -> gast.expr:
        absent = gast.Call(self.given(equivalents.no_attribute), [name(w)], [])
        chosen: gast.expr = absent if fallback is None else fallback
        for word in reversed(fields):
            found: gast.expr = gast.Attribute(name(o), word, gast.Load())
            found = found if fallback is None else self._if_there(o, word, clone(fallback))
            chosen = gast.IfExp(expression(f"{w} == {word!r}"), found, chosen)
        return chosen

    def _fields_of(self, value: Value) -> list[str]:
        """The attributes that were set so far on the objects that a value may be."""
        return list(dict.fromkeys(k for c in self.program.cells(value) for k in c.fields if isinstance(k, str)))

    def form_of(self, value: Value) -> tuple[str, ...]:
        return tuple(self._fields_of(value))

    def call_hasattr(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        return BOOL

    def call_setattr(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """setattr(o, "rate", v) → o.rate = v."""
        base, value = positional[0], positional[2]
        word = self._word_of(positional[1])
        if base.kind != "object" or word is None:
            if self.varied(base) or self.varied(value):
                self.refuse(
                    node,
                    "attribute",
                    "cannot tell which attribute this sets",
                    "Its name is known only when the program runs.",
                    "set the attribute by its name, or keep the values in a dict",
                )
            for cell in self.program.cells(base):
                self.program.mark(cell, "open")
                for field in list(cell.fields):
                    self.program.put(cell, value, field)
            self.changes(self.interpreter.statement, base)
            if base.kind == "known" and word is not None:
                self.changes_sites(self.interpreter.statement, {attribute_site(word)})
            return NONE

        def build() -> gast.expr:
            target = gast.Attribute(node.args[0], word, gast.Store())
            return Let([gast.copy_location(gast.Assign([target], node.args[2], None), node)], constant(None))

        return self.meant(node, build, env, word)

    # -- cached properties ----------------------------------------------------------------------

    def cached(self, base: Value, things: list[Any], node: Any, env: Env) -> Value | None:
        """A functools.cached_property, which is a field once it was read; None of anything else."""
        thing = things[0] if len(things) == 1 else None
        if not isinstance(thing, functools.cached_property) or hasattr(node, "plain"):
            return None
        if not isinstance(node, gast.Attribute) or not readable(thing.func):
            return self.interpreter.classes.hidden(base, node.attr, node) if self.varied(base) else OPAQUE

        def build(o: str) -> gast.expr:
            field, again = (gast.Attribute(name(o), node.attr, gast.Load()) for _ in range(2))
            field.plain = again.plain = True
            target = gast.Attribute(name(o), node.attr, gast.Store())
            computed = gast.Call(self.given(thing.func), [name(o)], [])
            filled = Let([gast.copy_location(gast.Assign([target], computed, None), node)], again)
            test = gast.Call(self.given(is_set), [name(o), constant(node.attr)], [])
            return gast.IfExp(test, field, filled)

        return self.meant(node, lambda: self.let([node.value], build, "held"), env, thing)

    # -- copies -------------------------------------------------------------------------------

    def call_copy(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """copy.copy(x)."""
        value = positional[0]
        if value.kind in ("list", "dict"):
            return self.meant(node, lambda: gast.Call(name(value.kind), node.args, []), env, value.kind)
        if value.kind == "object":
            return self._object_copied(value, node, lambda field, part: part, env)
        return self._copied_whole(value, node, env)

    def call_deepcopy(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """copy.deepcopy(x), part by part."""
        value = positional[0]
        if len(positional) > 1:
            return self._uncopied(node, "a deep copy of this", value)
        if self.varied(value) and not hasattr(node, "checked") and self.may_share(value):
            return self.meant(node, lambda: self._checked(node), env)
        if value.kind == "object":
            return self._object_copied(value, node, self._deep, env)
        if value.kind in ("list", "dict", "tuple"):
            form = (value.kind, self.count(value), self.settled_keys(value))
            return self.meant(node, lambda: self.let(node.args, lambda x: self._parts(value, name(x))), env, *form)
        return self._copied_whole(value, node, env)

    def _checked(self, node: gast.Call) -> gast.expr:
        def build(x: str) -> gast.expr:
            check = gast.Expr(gast.Call(self.given(refuse_held_twice), [name(x), constant("a deep copy is made of")], []))
            return Let([gast.copy_location(check, node)], self._deep(OPAQUE, name(x)))

        return self.let(node.args, build, "held")

    def may_share(self, value: Value) -> bool:
        """May two parts of a structure be one object?"""
        seen: set[str] = set()

        def visit(part: Value) -> bool:
            if part.kind in ("array", "number") or not part.sites:
                cells = []
            else:
                cells = self.program.cells(part)
            if seen & self.program.roots(part) or len(cells) > 1:
                return True
            seen.update(self.program.roots(part))
            known = [v for c in cells for v in (c.items if c.items is not None else c.fields.values())]
            if any(c.items is None and not c.fields and c.content is not None and c.content.sites for c in cells):
                return True
            return any(visit(p) for p in [*(part.items or ()), *known])

        return visit(value)

    def _deep(self, value: Value, part: gast.expr) -> gast.expr:
        """The deep copy of a part of something that was looked at as a whole."""
        call = gast.Call(self.given(copy.deepcopy), [part], [])
        call.checked = True
        return call

    def _parts(self, value: Value, x: gast.Name) -> gast.expr:
        """A copy of a container, of copies of its parts."""
        count = self.count(value) if value.kind in ("list", "tuple") else None
        if count is not None:
            items = [self._deep(value, gast.Subscript(clone(x), constant(i), gast.Load())) for i in range(count)]
            return gast.Tuple(items, gast.Load()) if value.kind == "tuple" else gast.List(items, gast.Load())
        k, v = self.fresh("key"), self.fresh("value")
        if value.kind == "list":
            return gast.ListComp(self._deep(value, name(v)), [gast.comprehension(name(v, store=True), x, [], False)])
        words = self.settled_keys(value)
        if words:
            copies = [self._deep(value, gast.Subscript(clone(x), constant(w), gast.Load())) for w in words]
            return gast.Dict([constant(w) for w in words], copies)
        target = gast.Tuple([name(k, store=True), name(v, store=True)], gast.Store())
        return gast.DictComp(name(k), self._deep(value, name(v)), [gast.comprehension(target, expression(f"{x.id}.items()"), [], False)])

    def _uncopied(self, node: gast.Call, what: str, value: Value) -> Value:
        if self.varied(value):
            self.refuse(
                node,
                "copy",
                f"cannot follow {what}",
                "Which of its parts are new, and of which types, is not known.",
                "copy its parts one by one",
            )
        return self.unknown(node, value)

    def _copied_whole(self, value: Value, node: gast.Call, env: Env) -> Value:
        if value.kind == "array":
            return self.meant(node, lambda: gast.Call(gast.Attribute(node.args[0], "copy", gast.Load()), [], []), env)
        if value.kind in (*SCALARS, "tuple", "none", "known", "bottom"):
            return self.meant(node, lambda: node.args[0], env)
        return self._uncopied(node, "a copy of this", value)

    def _object_copied(self, value: Value, node: gast.Call, each: Callable[[Value, gast.expr], gast.expr], env: Env) -> Value:
        """A new object of the class, with the same fields."""
        cls = value.known.value if value.known is not None else None
        own = cls is None or any(inspect.getattr_static(cls, w, None) is not inspect.getattr_static(object, w, None) for w in OWN_COPY)
        frozen = dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen  # type: ignore[union-attr]
        if own or cls is None or not is_plain(cls) or frozen or any(c.open for c in self.program.cells(value)):
            return self._uncopied(node, "a copy of this object", value)
        held = {k: v for c in self.program.cells(value) for k, v in c.fields.items()}
        new = self.fresh("new")

        def build(old: str) -> gast.expr:
            run: list[Any] = [gast.NamedExpr(name(new, store=True), gast.Call(expression("object.__new__"), [self.given(cls)], []))]
            for word, field in held.items():
                part = each(field, gast.Attribute(name(old), word, gast.Load()))
                run.append(gast.copy_location(gast.Assign([gast.Attribute(name(new), word, gast.Store())], part, None), node))
            return Let(run, name(new))

        return self.meant(node, lambda: self.let(node.args[:1], build, "old", anew=True), env, cls, *held)

    # -- dataclasses and named tuples -----------------------------------------------------------

    def call_fields(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """dataclasses.fields(p): what is known of the fields, and nothing of what they hold."""
        return OPAQUE

    def call_checked(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        return NONE

    def call_asdict(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """dataclasses.asdict(p) → {"x": p.x, "y": p.y}."""
        return self._as_display(positional[0], node, lambda words, items: gast.Dict([constant(w) for w in words], items), env)

    def call_astuple(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        return self._as_display(positional[0], node, lambda words, items: gast.Tuple(items, gast.Load()), env)

    def _as_display(
        self, value: Value, node: gast.Call, display: Callable[[list[str], list[gast.expr]], gast.expr], env: Env
    ) -> Value:
        cls = value.known.value if value.kind == "object" and value.known is not None else None
        if not dataclasses.is_dataclass(cls) or len(node.args) != 1 or node.keywords:
            return self._uncopied(node, "the fields of this", value)
        words = [f.name for f in dataclasses.fields(cls)]
        held = {k: v for c in self.program.cells(value) for k, v in c.fields.items()}

        def build(o: str) -> gast.expr:
            items = []
            for word in words:
                part: gast.expr = gast.Attribute(name(o), word, gast.Load())
                field = held.get(word, OPAQUE)
                inner = field.known.value if field.kind == "object" and field.known is not None else None
                items.append(gast.Call(node.func, [part], []) if dataclasses.is_dataclass(inner) else self._deep(field, part))
            return display(words, items)

        return self.meant(node, lambda: self.let(node.args, build, "held"), env, *(v.kind for v in held.values()))
