"""What the methods of active lists, tuples and dicts mean in simpler Python.

d.pop(k, v)     →   (item := d[k]; del d[k]; item) if k in d else v
d.items()       →   [(k, d[k]) for k in d]
p._replace(x=v) →   Point(v, p[1])
"""

from typing import Any

import gast

from pullback.compiler.analysis.meaning import comprehended, item_of
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name
from pullback.compiler.ir.walk import computes


class Methods(Part):
    """The methods of containers as other constructs."""

    def different_items(self, node: gast.DictComp, env: Env) -> list[Any]:
        """The keys of a dict that a comprehension goes through, where its items are of different types."""
        [generator, *others] = node.generators
        source = generator.iter
        items = isinstance(source, gast.Call) and isinstance(source.func, gast.Attribute) and source.func.attr == "items"
        targets = generator.target.elts if items and isinstance(generator.target, gast.Tuple) else [generator.target]
        plain = all(isinstance(t, gast.Name) for t in targets) and len(targets) == (2 if items else 1)
        key = isinstance(node.key, gast.Name) and plain and node.key.id == targets[0].id
        if others or generator.ifs or not key:
            return []
        value = self.value(source.func.value if items else source, env)
        words = self.settled_keys(value) or ()
        types = {(v.kind, v.rank) for c in self.program.cells(value) for v in c.fields.values()} if words else set()
        return list(words) if len(types) > 1 else []

    def item_by_item(self, node: gast.DictComp, words: list[Any]) -> gast.expr:
        """{k: f(v) for k, v in d.items()} → {"a": f(d["a"]), "b": f(d["b"])}."""
        target, source = node.generators[0].target, node.generators[0].iter
        names = [t.id for t in target.elts] if isinstance(target, gast.Tuple) else [target.id]

        def build(d: str) -> gast.expr:
            given = [{names[0]: constant(w)} | ({names[1]: item_of(d, w)} if len(names) > 1 else {}) for w in words]
            return gast.Dict([constant(w) for w in words], [_Put(g).visit(clone(node.value)) for g in given])

        return self.let([source.func.value if len(names) > 1 else source], build, "held", anew=True)

    def set_and_read(self, node: gast.Call) -> gast.expr:
        """d.setdefault(k, v) as a statement, then d[k]."""

        def build(d: str, k: str, *default: str) -> gast.expr:
            call = gast.Call(expression(f"{d}.setdefault"), [name(k), *map(name, default)], [])
            call.plain = True
            return Let([gast.copy_location(gast.Expr(call), node)], item_of(d, name(k)))

        return self.let([node.func.value, *node.args], build, "held")

    def meaning_of_method(self, base: Value, word: str, node: gast.Call, env: Env) -> Value | None:
        """copy, get and the like of a list or dict with active elements."""
        assert isinstance(node.func, gast.Attribute)
        owner = node.func.value
        if word == "copy" and not node.args:
            kind = base.kind
            if kind == "list":
                call = gast.Call(name("list"), [owner], [])
                return self.meant(node, lambda: self.interpreter.meanings.list_of(call, [base]), env, kind, self.count(base))
            return self.meant(node, lambda: gast.Dict([None], [owner]), env, kind)
        if base.kind == "dict" and word == "get" and node.args:
            default = node.args[1] if len(node.args) > 1 else constant(None)
            if computes(default):  # it is evaluated whether it is used or not
                return self.meant(node, lambda: self.let([owner, node.args[0], default], _chosen, "held"), env)
            return self.meant(node, lambda: self.let([owner, node.args[0]], lambda d, k: _chosen(d, k, default), "held"), env)
        if base.kind == "tuple" and word == "_asdict" and base.code is not None:
            fields = base.code._fields

            def as_dict(t: str) -> gast.expr:
                return gast.Dict([constant(f) for f in fields], [item_of(t, i) for i in range(len(fields))])

            return self.meant(node, lambda: self.let([owner], as_dict), env, base.code)
        if base.kind == "tuple" and word == "_replace" and base.code is not None:
            spread = self.interpreter.spreading.meaning_of_replacement(node, owner, base.code._fields, env)
            if spread is not None:
                return spread
            return self.meant(node, lambda: self.let([owner], lambda t: self._replaced(t, base, node)), env, base.code)
        if base.kind == "dict" and word in ("pop", "setdefault") and node.args:
            default = node.args[1] if len(node.args) > 1 else constant(None)
            absent = [default] if len(node.args) > 1 or word == "setdefault" else []
            build = self._item_taken if word == "pop" else self._item_settled
            return self.meant(node, lambda: self.let([owner, node.args[0], *absent], build, "held"), env)
        if base.kind == "dict" and word == "popitem":
            last = next((k.value for k in node.keywords), None) or (node.args[0] if node.args else constant(True))
            return self.meant(node, lambda: self.let([owner], lambda d: self._popped_item(d, last)), env)
        if base.kind == "dict" and word in ("values", "items"):
            return self.meant(node, lambda: self.let([owner], lambda d: self._listed(d, word)), env)
        if word == "__getitem__" and len(node.args) == 1:
            return self.meant(node, lambda: gast.Subscript(owner, node.args[0], gast.Load()), env)
        if word in ("__iter__", "__reversed__"):
            source = owner if word == "__iter__" else gast.Call(name("reversed"), [owner], [])
            return self.meant(node, lambda: comprehended(lambda v: name(v), self.fresh("v"), source), env)
        return None

    def listed(self, rank: int, array: gast.expr) -> gast.expr:
        """u.tolist(): lists within lists, of Python's own numbers."""
        if not rank:
            return gast.Call(gast.Attribute(array, "item", gast.Load()), [], [])
        return comprehended(lambda v: self.listed(rank - 1, name(v)), self.fresh("v"), array)

    def _replaced(self, t: str, base: Value, node: gast.Call) -> gast.expr:
        new = {k.arg: k.value for k in node.keywords}
        values = [new.get(f) or item_of(t, i) for i, f in enumerate(base.code._fields)]
        return gast.Call(self.given(base.code), values, [])

    def _popped_item(self, d: str, last: gast.expr) -> gast.expr:
        key = self.fresh("key")
        place = gast.IfExp(last, constant(-1), constant(0))
        bound = gast.NamedExpr(name(key, store=True), gast.Subscript(expression(f"list({d})"), place, gast.Load()))
        return Let([bound], gast.Tuple([name(key), self._item_taken(d, key)], gast.Load()))

    def _item_taken(self, d: str, key: str, *default: str) -> gast.expr:
        """d.pop(k)."""
        held = self.fresh("popped")
        item = gast.NamedExpr(name(held, store=True), item_of(d, name(key)))
        gone = gast.Delete([gast.Subscript(name(d), name(key), gast.Del())])
        taken = Let([item, gone], name(held))
        return gast.IfExp(expression(f"{key} in {d}"), taken, name(default[0])) if default else taken

    def _item_settled(self, d: str, key: str, default: str) -> gast.expr:
        """d.setdefault(k, v)."""
        put = gast.Assign([gast.Subscript(name(d), name(key), gast.Store())], name(default), None)
        item = item_of(d, name(key))
        item.plain = True
        return gast.IfExp(expression(f"{key} in {d}"), item, Let([put], name(default)))

    def _listed(self, d: str, word: str) -> gast.expr:
        key = self.fresh("key")
        item: gast.expr = item_of(d, name(key))
        if word == "items":
            item = gast.Tuple([name(key), item], gast.Load())
        return gast.ListComp(item, [gast.comprehension(name(key, store=True), name(d), [], False)])


class _Put(gast.NodeTransformer):
    """Variables replaced by expressions."""

    def __init__(self, given: dict[str, gast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: gast.Name) -> gast.expr:
        return clone(self.given[node.id]) if node.id in self.given else node


def _chosen(d: str, k: str, default: str | gast.expr) -> gast.expr:
    """d.get(k, default)."""
    absent = name(default) if isinstance(default, str) else default
    return gast.IfExp(expression(f"{k} in {d}"), item_of(d, name(k)), absent)
