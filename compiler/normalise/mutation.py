"""Methods that change lists and dicts in place become appends, pops, inserts and writes of single items.

xs.extend(ys)     →   for y in ys: xs.append(y)
xs[i:j] = ys      →   for _ in range(j - i): xs.pop(i)
                      for k in range(len(ys)): xs.insert(i + k, ys[k])
xs.sort(key=f)    →   order = sorted(range(len(xs)), key=lambda i: f(xs[i]))
                      items = [xs[i] for i in order]
                      for i in range(len(items)): xs[i] = items[i]
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import gast

from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, call, clone, constant, expression, loaded, name, statements
from pullback.compiler.ir.walk import every_node, literal_int
from pullback.compiler.normalise.context import Part

if TYPE_CHECKING:
    from pullback.compiler.normalise.flatten import Flattener

Method = Callable[[gast.Name, gast.Call, list[gast.stmt]], list[gast.stmt]]


class Mutation(Part):
    """The part of the flattener that deals with containers that change."""

    def __init__(self, flattener: "Flattener") -> None:
        super().__init__(flattener)
        self._methods: dict[tuple[str, str], Method] = {
            ("list", "extend"): self._extend,
            ("list", "remove"): self._remove,
            ("list", "clear"): self._clear,
            ("list", "reverse"): self._reverse,
            ("list", "sort"): self._sort,
            ("list", "__setitem__"): self._set_item,
            ("list", "__delitem__"): self._delete_item,
            ("dict", "__setitem__"): self._set_item,
            ("dict", "update"): self._update,
            ("dict", "setdefault"): self._setdefault,
        }

    def changes_container(self, node: gast.AST) -> bool:
        """Is this a method of a list or dict that holds active values?"""
        return (
            isinstance(node, gast.Call)
            and isinstance(node.func, gast.Attribute)
            and self.type_of(node.func.value).kind in ("list", "dict")
            and self.active(node.func.value)
        )

    def settle_position(self, node: gast.Call, arguments: list[gast.expr], out: list[gast.stmt]) -> None:
        """xs.pop(len(xs) // 2): the position has a name, as both sweeps need it and the list changes."""
        assert isinstance(node.func, gast.Attribute)
        if node.func.attr not in ("pop", "insert") or self.type_of(node.func.value).kind != "list" or not arguments:
            return
        index = arguments[0]
        settled = isinstance(index, gast.Name) and index.id not in self.flattener.assigning
        if literal_int(index) is None and not settled:
            place = self.names.fresh("place")
            out.append(assign(place, arguments[0]))
            arguments[0] = name(place)

    def statement(self, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt] | None:
        """The statements that a method of a list or dict stands for; None if it stays."""
        assert isinstance(node.func, gast.Attribute)
        word, owner = node.func.attr, node.func.value
        method = self._methods.get((self.type_of(owner).kind, word))
        if method is None or word == "update" and not (node.args and self.type_of(node.args[0]).kind != "dict"):
            return None
        base = owner if isinstance(owner, gast.Name) else self._held_as(owner, out)
        written = method(base, node, out)
        for s in written:
            for inner in every_node(s):
                if isinstance(inner, (gast.expr, gast.stmt)) and getattr(inner, "lineno", None) is None:
                    gast.copy_location(inner, node)
        return self.flattener.block(written)

    def _held_as(self, owner: gast.expr, out: list[gast.stmt]) -> gast.Name:
        held = self.names.fresh(described(owner))
        out.append(assign(held, self.flattener.lowered(owner, out)))
        return self.variable_for(held, owner)

    def _again(self, base: gast.Name) -> gast.Name:
        return self.variable_for(base.id, base)

    def _method(self, base: gast.Name, word: str, *arguments: gast.expr) -> gast.stmt:
        return gast.Expr(gast.Call(gast.Attribute(self._again(base), word, gast.Load()), list(arguments), []))

    # -- lists ----------------------------------------------------------------------------------

    def _extend(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        return [self._appended(base, node.args[0])]

    def _appended(self, base: gast.Name, source: gast.expr) -> gast.stmt:
        item = self.names.fresh("item")
        return gast.For(name(item, store=True), source, [self._method(base, "append", name(item))], [], None)

    def _remove(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        where = gast.Call(gast.Attribute(self._again(base), "index", gast.Load()), node.args, [])
        return [self._method(base, "pop", where)]

    def _clear(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        over = expression("range(len(b))", b=base.id)
        return [gast.For(name(self.names.fresh("again"), store=True), over, [self._method(base, "pop")], [], None)]

    def _reverse(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        return self._rearranged(base, expression("range(len(b) - 1, -1, -1)", b=base.id))

    def _sort(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        options = {k.arg: k.value for k in node.keywords}
        j = self.names.fresh("j")
        key = expression(f"b[{j}]", b=base.id)
        if "key" in options:
            key = gast.Call(options["key"], [key], [])
        parameters = gast.arguments([gast.Name(j, gast.Param(), None, None)], [], None, [], [], None, [])
        order = expression("sorted(range(len(b)))", b=base.id)
        order.keywords = [gast.keyword("key", gast.Lambda(parameters, key))]
        order.keywords += [k for k in node.keywords if k.arg == "reverse"]
        return self._rearranged(base, order)

    def _rearranged(self, base: gast.Name, order: gast.expr) -> list[gast.stmt]:
        """The elements in another order: taken out, then written back."""
        items, places, i = (self.names.fresh(w) for w in ("items", "order", "i"))
        return statements(
            f"{places} = list(over)\n"
            f"{items} = []\n"
            f"for {i} in {places}:\n    {items}.append(b[{i}])\n"
            f"for {i} in range(len({places})):\n    b[{i}] = {items}[{i}]",
            over=order,
            b=base.id,
        )

    def _set_item(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        return [gast.Assign([gast.Subscript(self._again(base), node.args[0], gast.Store())], node.args[1], None)]

    def _delete_item(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        return [self._method(base, "pop", node.args[0])]

    def slice_written(self, target: gast.Subscript, value: gast.expr, out: list[gast.stmt]) -> list[gast.stmt]:
        """xs[i:j] = ys, for lists: the old elements go, the new ones come; xs[i:j:k] = ys writes one by one."""
        base = target.value if isinstance(target.value, gast.Name) else self._held_as(target.value, out)
        assert isinstance(target.slice, gast.Slice)
        items = self._gathered(value, out)
        k = self.names.fresh("k")
        if target.slice.step is not None:
            places = self._places(base, target.slice, out)
            return statements(f"for {k} in range(len({places})):\n    b[{places}[{k}]] = {items}[{k}]", b=base.id)
        places = self._places(base, target.slice, out)
        text = (
            f"for {k} in range(len({places})):\n    b.pop({places}.start)\n"
            f"for {k} in range(len({items})):\n    b.insert({places}.start + {k}, {items}[{k}])"
        )
        return statements(text, b=base.id)

    def writes_list_slice(self, target: gast.expr) -> bool:
        return (
            isinstance(target, gast.Subscript)
            and isinstance(target.slice, gast.Slice)
            and self.type_of(target.value).kind == "list"
        )

    def augmented(self, s: gast.AugAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        """xs += ys, xs *= n, d |= e."""
        target = loaded(s.target)
        base = self.variable_for(target.id, s.target) if isinstance(target, gast.Name) else self._held_as(target, out)
        if isinstance(s.op, gast.BitOr):
            return self.flattener.block([gast.copy_location(self._method(base, "update", s.value), s)])
        if isinstance(s.op, gast.Mult):
            return self._repeated(base, s, out)
        return self.flattener.block([gast.copy_location(self._appended(base, s.value), s)])

    def _repeated(self, base: gast.Name, s: gast.AugAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        """The elements there are now, so many times more; fewer than once leaves none."""
        times, count, again, i = (self.names.fresh(w) for w in ("times", "count", "again", "i"))
        out.append(assign(times, self.flattener.lowered(s.value, out)))
        return statements(
            f"{count} = len(b)\n"
            f"for {again} in range({times} - 1):\n    for {i} in range({count}):\n        b.append(b[{i}])\n"
            f"for {again} in range({count} if {times} < 1 else 0):\n    b.pop()",
            b=base.id,
        )

    def _gathered(self, source: gast.expr, out: list[gast.stmt]) -> str:
        """A variable with a new list of the elements."""
        items, source = self.names.fresh("items"), self.flattener.meaning(source)
        if isinstance(source, (gast.List, gast.Tuple)) and not any(isinstance(e, gast.Starred) for e in source.elts):
            listed = assign(items, gast.List(source.elts, gast.Load()))
            out += self.flattener.block([gast.copy_location(listed, source)])
            return items
        held = name(items)
        self.facts.types[held] = self.type_of(source)
        loop = gast.copy_location(self._appended(held, source), source)
        gast.copy_location(loop.body[0], source)  # type: ignore[attr-defined]
        out += [gast.copy_location(assign(items, gast.List([], gast.Load())), source), *self.flattener.block([loop])]
        return items

    def _places(self, base: gast.Name, part: gast.Slice, out: list[gast.stmt]) -> str:
        """range(...) of what a slice names, held in a variable."""
        bounds = [clone(b) if b is not None else constant(None) for b in (part.lower, part.upper, part.step)]
        indices = gast.Attribute(call("slice", *bounds), "indices", gast.Load())
        length = expression("len(b)", b=base.id)
        starred = gast.Starred(gast.Call(indices, [length], []), gast.Load())
        held = self.names.fresh("places")
        out.append(assign(held, gast.Call(name("range"), [starred], [])))
        return held

    # -- dicts ----------------------------------------------------------------------------------

    def _update(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        """d.update(pairs, k=v): the items one by one."""
        key, value = self.names.fresh("key"), self.names.fresh("value")
        target = gast.Tuple([name(key, store=True), name(value, store=True)], gast.Store())
        slot = gast.Subscript(self._again(base), name(key), gast.Store())
        done: list[gast.stmt] = [
            gast.For(target, node.args[0], [gast.Assign([slot], name(value), None)], [], None)
        ]
        for k in node.keywords:
            item = gast.Subscript(self._again(base), constant(k.arg), gast.Store())
            done.append(gast.Assign([item], k.value, None))
        return done

    def _setdefault(self, base: gast.Name, node: gast.Call, out: list[gast.stmt]) -> list[gast.stmt]:
        key = self._key(node.args[0], out)
        default = node.args[1] if len(node.args) > 1 else constant(None)
        write = gast.Assign([gast.Subscript(self._again(base), clone(key), gast.Store())], default, None)
        return [gast.If(gast.Compare(clone(key), [gast.NotIn()], [self._again(base)]), [write], [])]

    def _key(self, node: gast.expr, out: list[gast.stmt]) -> gast.expr:
        return node if isinstance(node, gast.Constant) else self.flattener.named(node, out)

    def do_Delete(self, s: gast.Delete, out: list[gast.stmt]) -> list[gast.stmt]:
        """del xs[i] → xs.pop(i); of a dict the item's shadow may stay; a variable stays, which the reverse may read."""
        done: list[gast.stmt] = []
        for target in s.targets:
            if isinstance(target, gast.Name):
                continue
            if target in self.facts.meanings:
                done += self.flattener.block([gast.copy_location(gast.Expr(self.facts.meanings[target]), s)])
                continue
            listed = isinstance(target, gast.Subscript) and self.type_of(target.value).kind == "list"
            if not listed or not self.active(target.value):
                done.append(gast.Delete([target]))
                continue
            base = target.value if isinstance(target.value, gast.Name) else self._held_as(target.value, out)
            if not isinstance(target.slice, gast.Slice):
                done += self.flattener.block([self._method(base, "pop", target.slice)])
                continue
            places = self._places(base, target.slice, out)
            over = expression(f"sorted({places}, reverse=True)")
            i = self.names.fresh("i")
            done.append(gast.For(name(i, store=True), over, [self._method(base, "pop", name(i))], [], None))
        return done
