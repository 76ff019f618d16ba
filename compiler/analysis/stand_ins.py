"""Containers of collections that stand for lists and dicts: what more their methods do, said in those of the latter.

d = deque(xs, maxlen=3)   →   d = list(xs)[-3:]
d.popleft()               →   d.pop(0)
d.append(x)               →   d.append(x); if len(d) > 3: d.pop(0)
d = defaultdict(list)     →   d = {}
d[k].append(x)            →   (d[k] if k in d else made).append(x), where made = d[k] = []
"""

import collections
import operator
from typing import Any

import gast

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import NONE, SEVERAL, StandIn, Value
from pullback.compiler.frontend import collected
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import constant, expression, loaded, name
from pullback.compiler.ir.walk import computes

FACTORIES = {list: "[]", dict: "{}", float: "0.0", int: "0"}
IN_PLACE = {
    gast.Add: operator.iadd,
    gast.Sub: operator.isub,
    gast.Mult: operator.imul,
    gast.Div: operator.itruediv,
    gast.FloorDiv: operator.ifloordiv,
    gast.Mod: operator.imod,
    gast.Pow: operator.ipow,
    gast.MatMult: operator.imatmul,
    gast.BitOr: operator.ior,
    gast.BitAnd: operator.iand,
    gast.BitXor: operator.ixor,
    gast.LShift: operator.ilshift,
    gast.RShift: operator.irshift,
}


class StandIns(Part):
    """The meaning of containers that Python has besides lists and dicts."""

    def _held_text(self, node: gast.expr, value: Value, known: dict[Any, str]) -> tuple[str, list[gast.expr]]:
        """The text of a value needed later: of a constant its own, of any other a variable that the binding sets."""
        try:
            if value.known is not None and value.known.value in known:
                return known[value.known.value], []
        except TypeError:  # it cannot be looked up
            pass
        if value.kind == "int" and value.known is not None:
            return repr(value.known.value), []
        key = (node, "held")
        if key not in self.program.meanings:
            self.program.meanings[key] = self.fresh("given")
        held = self.program.meanings[key]
        return held, [gast.NamedExpr(name(held, store=True), node)]

    def call_deque(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        bound = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords if k.arg == "maxlen"), None)
        value = self.facts.types[bound] if bound is not None else NONE
        text, bindings = ("", []) if bound is None or value.kind == "none" else self._held_text(bound, value, {})
        given = list(node.args[:1]) or [k.value for k in node.keywords if k.arg == "iterable"]

        def build() -> gast.expr:
            items: gast.expr = gast.Call(name("list"), given, []) if given else gast.List([], gast.Load())
            if text and given:
                items = gast.Subscript(items, gast.Slice(gast.UnaryOp(gast.USub(), expression(text)), None, None), gast.Load())
            return standing(self.let_first(bindings, items), made)

        made = StandIn(collections.deque, text, self.code if bindings else None)
        return self.meant(node, build, env, "deque", text)

    def call_defaultdict(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        factory = positional[0] if positional else NONE
        text, bindings = "", list[gast.expr]()
        if node.args and factory.kind != "none":
            text, bindings = self._held_text(node.args[0], factory, FACTORIES)
            text = f"{text}()" if bindings else text
        made = StandIn(collections.defaultdict, text, self.code if bindings else None)
        whole = self.let_first(bindings, self._as_dict(node, 1))
        return self.meant(node, lambda: standing(whole, made), env, "dict", text)

    def call_ordered(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        made = StandIn(collections.OrderedDict)
        return self.meant(node, lambda: standing(self._as_dict(node, 0), made), env, "ordered")

    def _as_dict(self, node: gast.Call, first: int) -> gast.expr:
        if len(node.args) > first or node.keywords:
            return gast.Call(name("dict"), list(node.args[first:]), list(node.keywords))
        return gast.Dict([], [])

    def stand_in_method(self, base: Value, word: str, node: gast.Call, env: Env) -> Value | None:
        """A method that lists and dicts lack, or do not mean the same by."""
        assert isinstance(node.func, gast.Attribute)
        owner, more = node.func.value, base.code.more

        def method(named: str, *arguments: gast.expr) -> gast.expr:
            return gast.Call(gast.Attribute(owner, named, gast.Load()), list(arguments), [])

        def text(function: Any, *arguments: gast.expr) -> gast.expr:
            return gast.Call(self.given(function), [owner, *arguments], [])

        built = None
        if base.code.cls in (set, frozenset):
            built = self.interpreter.sets.method(base, word, node)
        elif base.code.cls is collections.deque:
            limit = [self.more_of(base, node)] if more else []
            if word == "popleft":
                built = method("pop", constant(0))
            elif word == "appendleft" and not more:
                built = method("insert", constant(0), *node.args)
            elif word in BOUNDED and (more or word == "extendleft"):
                built = text(BOUNDED[word], *node.args, *limit)
            elif word == "rotate":
                built = text(collected.rotated, *(node.args or [constant(1)]))
        elif word == "move_to_end":
            last = node.args[1:] or [k.value for k in node.keywords] or [constant(True)]
            built = text(collected.moved_to_end, node.args[0], *last)
        if word == "copy" and built is None:
            made = expression("list(x)" if base.kind == "list" else "dict(x)", x=owner)
            return self.meant(node, lambda: standing(made, base.code), env, "copy")
        return None if built is None else self.meant(node, lambda: built, env, word, more)

    def more_of(self, base: Value, node: gast.AST) -> gast.expr:
        """The text that the stand-in needs, which must be within reach."""
        if base.code.owner == SEVERAL or base.code.owner is not None and base.code.owner not in [self.code, *self.code.ancestors()]:
            self.refuse(
                node,
                "stand-in",
                f"cannot follow this use of a {base.code.cls.__name__}",
                "Its length or default was computed in another function, or is not the same on every path.",
                "give it as a constant, or use it in the function that makes it",
            )
            return constant(None)
        return expression(base.code.more)

    def meaning_of_default(self, base: Value, node: gast.Subscript, env: Env) -> Value:
        """d[k] of a dict with defaults."""

        def build() -> gast.expr:
            default = self.more_of(base, node)

            def chosen(d: str, k: str) -> gast.expr:
                item = gast.Subscript(name(d), name(k), gast.Load())
                item.plain = True
                new = self.fresh("new")
                kept = gast.Assign([gast.Subscript(name(d), name(k), gast.Store())], name(new), None)
                made = Let([gast.NamedExpr(name(new, store=True), default), kept], name(new))
                return gast.IfExp(expression(f"{k} in {d}"), item, made)

            return self.let([node.value, node.slice], chosen, "held")

        return self.meant(node, build, env, "default", base.code.more)

    def augmented_default(self, s: gast.AugAssign, env: Env) -> Value:
        """d[k] += v of a dict with defaults → d[k] = iadd(d[k], v)."""
        if computes(s.target):
            self.refuse(
                s,
                "default",
                "cannot follow this change of an item that may have to be made",
                "Its key or its dict is computed by a call, which would run twice.",
                "give the key a name first",
            )
        added = gast.Call(self.given(IN_PLACE[type(s.op)]), [loaded(s.target), s.value], [])
        return self.meant(s, lambda: added, env, "default")

    def let_first(self, bindings: list[Any], value: gast.expr) -> gast.expr:
        return Let(bindings, value) if bindings else value


BOUNDED = {
    "append": collected.appended,
    "appendleft": collected.appended_left,
    "extend": collected.extended,
    "extendleft": collected.extended_left,
}


def stands_for(value: Value, *classes: type) -> bool:
    """Is it a list or dict in place of such a container?"""
    return isinstance(value.code, StandIn) and value.code.cls in classes


def standing(node: Any, what: StandIn) -> gast.expr:
    """The expression, marked as that of a container which stands for another."""
    node.stands_for = what
    return node
