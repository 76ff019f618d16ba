"""What constructs over active containers mean in simpler Python, which the flattener writes in their place.

list(map(f, xs))   →   [f(v) for v in xs]
xs[1:]             →   [xs[i] for i in range(1, len(xs))]
d.get(k, 0.0)      →   d[k] if k in d else 0.0
reduce(f, xs)      →   reduced(f, xs), a function of frontend/equivalents.py that is differentiated like the user's
"""

import bisect
import cmath
import functools
import heapq
import itertools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.generators import endless_text
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import Value, is_callable
from pullback.compiler.frontend import collected, equivalents
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name
from pullback.compiler.rules.language import rule_of

# functions of Python's own whose text is in frontend/equivalents.py or collected.py
TEXTS: dict[Any, Any] = {
    functools.reduce: equivalents.reduced,
    itertools.accumulate: equivalents.accumulated,
    itertools.chain: equivalents.chained,
    itertools.chain.from_iterable: equivalents.chained_from,
    itertools.pairwise: equivalents.pairs,
    itertools.product: equivalents.products,
    itertools.islice: equivalents.sliced,
    itertools.repeat: equivalents.repeated,
    itertools.starmap: equivalents.star_mapped,
    itertools.takewhile: equivalents.taken_while,
    itertools.dropwhile: equivalents.dropped_while,
    itertools.combinations: equivalents.combined,
    itertools.compress: equivalents.compressed,
    itertools.filterfalse: equivalents.filtered_false,
    itertools.groupby: equivalents.grouped,
    itertools.zip_longest: equivalents.zipped_longest,
    itertools.permutations: equivalents.permuted,
    itertools.combinations_with_replacement: equivalents.combined_again,
    heapq.heappush: collected.heap_pushed,
    heapq.heappop: collected.heap_popped,
    heapq.heapreplace: collected.heap_replaced,
    heapq.heappushpop: collected.heap_pushed_popped,
    heapq.heapify: collected.heap_made,
    heapq.nlargest: collected.largest,
    heapq.nsmallest: collected.smallest,
    heapq.merge: collected.merged,
    bisect.insort_right: collected.insorted_right,
    bisect.insort_left: collected.insorted_left,
    cmath.polar: equivalents.polar,
    np.trim_zeros: equivalents.trimmed,
    np.fromiter: equivalents.from_iterator,
    dict.fromkeys: collected.keyed,
    functools.wraps: equivalents.wrapping,
    functools.update_wrapper: equivalents.wrapped,
}


class Meanings(Part):
    """Constructs that are another way of writing simpler ones."""

    # -- builtins -----------------------------------------------------------------------------

    def meaning_of_call(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """The value of calling a builtin by what the call means; None where it stays as it is."""
        try:
            text = endless_text(thing, node) or TEXTS.get(thing)
            built = self._builders.get(thing)
        except TypeError:
            return None
        if thing in (min, max) and any(isinstance(a, gast.Starred) for a in node.args):
            listed = gast.List(node.args, gast.Load())
            return self.meant(node, lambda: gast.Call(node.func, [listed], node.keywords), env)
        if thing in (min, max) and not any(k.arg == "key" for k in node.keywords):
            return None
        if thing is zip and len(node.args) == 1 and isinstance(node.args[0], gast.Starred):
            node.args[0].value = self.interpreter.generators.at_once(node.args[0].value, env)
            return self._zipped_rows(node, node.args[0].value, env)
        plain = not any(isinstance(a, gast.Starred) for a in node.args)
        if thing is math.hypot and not plain and None in [self.count(self.value(a, env)) for a in node.args if isinstance(a, gast.Starred)]:
            text = equivalents.hypotenuse
        if text is None and (built is None or not plain or not node.args):
            return None
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values()] if text is not None or thing in HIGHER else positional
        made = {list: "list", sorted: "list", dict: "dict", dict.fromkeys: "dict"}.get(thing)
        makes = thing in MAKERS and any(is_callable(v) for v in every) or thing in GETTERS
        makes = makes or thing is getattr and self.interpreter.attributes.field(node, positional) is not None
        texts = thing in HIGHER and any(self.program.holds_text(v) for v in every)
        if not (makes or texts or any(self.varied(v) for v in every) or (made and self.made_active(node, made))):
            return None
        if thing is itertools.chain and plain:
            stars = [gast.Starred(a, gast.Load()) for a in node.args]
            return self.meant(node, lambda: gast.List(stars, gast.Load()), env)
        if thing is itertools.product and plain and not node.keywords:
            return self.meant(node, lambda: self._crossed(node), env, "crossed")
        function = self.interpreter.functions.function_of(node.args[0], env) if thing is itertools.starmap and plain else None
        names = plain_parameters(function) if function is not None else []
        if names:
            return self.meant(node, lambda: self._star_mapped(node, len(names)), env, len(names))
        if text is not None:
            return self.meant(node, lambda: gast.Call(self.given(text), self._listed(node.args), node.keywords), env, text)
        assert built is not None
        if thing in PERHAPS and built(node, positional) is None:
            return None
        fields = self.interpreter.attributes.form_of(positional[0]) if thing is getattr else ()
        known = tuple((v.kind, v.known, self.count(v)) for v in positional)
        return self.meant(node, lambda: built(node, positional), env, built.__name__, known, fields)

    def _crossed(self, node: gast.Call) -> gast.expr:
        """itertools.product(xs, ys) → [(x, y) for x in xs for y in ys], each gone through once."""
        lists, items = ([self.fresh(word) for _ in node.args] for word in ("items", "item"))
        bound = [gast.NamedExpr(name(t, store=True), gast.Call(name("list"), [a], [])) for t, a in zip(lists, node.args)]
        loops = [gast.comprehension(name(i, store=True), name(t), [], False) for i, t in zip(items, lists)]
        return Let(bound, gast.ListComp(gast.Tuple([name(i) for i in items], gast.Load()), loops))

    def _listed(self, arguments: list[gast.expr]) -> list[gast.expr]:
        """Arguments of a text, which goes through lists: iterators as such."""
        resolved = self.facts.resolved
        return [gast.Call(name("list"), [a], []) if resolved.get(a) in (zip, enumerate, reversed) else a for a in arguments]

    def _zipped_rows(self, node: gast.Call, source: gast.expr, env: Env) -> Value | None:
        """zip(*rows): the columns."""
        rows = self.interpreter.protocols.gone_through(source, env)
        if not self.varied(rows):
            return None
        if rows.kind == "array":
            return self.meant(node, lambda: gast.Attribute(source, "T", gast.Load()), env, "array")
        items = self.known_items(rows)
        widths = [self.count(row) for row in (items if items is not None else [self.element(rows, node)])]
        known = None not in widths and bool(widths)
        width = min(w for w in widths if w is not None) if known else None

        def column(held: str, i: Any) -> gast.expr:
            if items is not None:
                cells = [gast.Subscript(item_of(held, j), constant(i), gast.Load()) for j in range(len(items))]
                return gast.Tuple(cells, gast.Load())
            return comprehended(lambda row: item_of(row, i), self.fresh("row"), name(held))

        def build(held: str) -> gast.expr:
            if width is not None:
                return gast.Tuple([column(held, i) for i in range(width)], gast.Load())
            i, row = self.fresh("i"), self.fresh("row")
            lengths = expression(f"range(min([len({row}) for {row} in {held}], default=0))")
            return comprehended(
                lambda _: comprehended(lambda r: item_of(r, name(i)), self.fresh("row"), name(held)), i, lengths
            )

        whole = gast.Call(name("list"), [source], [])
        form = ("zip", rows.kind, width, None if items is None else len(items))
        listed = rows.kind in ("list", "tuple")
        return self.meant(node, lambda: self.let([source if listed else whole], build, "rows"), env, *form)

    @functools.cached_property
    def _builders(self) -> dict[Any, Callable[[gast.Call, list[Value]], gast.expr | None]]:
        return {
            list: self.list_of,
            tuple: self._tuple,
            sorted: self._sorted,
            map: self._map,
            filter: self._filter,
            dict: self._dict,
            min: self._extreme,
            max: self._extreme,
            getattr: self.interpreter.attributes.field,
            functools.partial: self._partial,
            itertools.tee: self._tee,
            operator.itemgetter: self._itemgetter,
            operator.attrgetter: self._attrgetter,
            operator.methodcaller: self._methodcaller,
        }

    def list_of(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        source = node.args[0]
        inner = self.facts.meanings.get(source, source)
        if isinstance(inner, (gast.GeneratorExp, gast.ListComp)):
            return gast.ListComp(inner.elt, inner.generators)
        items = self.known_items(positional[0])
        if items is not None and positional[0].kind in ("list", "tuple"):
            return self.let([source], lambda t: gast.List([item_of(t, i) for i in range(len(items))], gast.Load()))
        return comprehended(lambda v: name(v), self.fresh("v"), source)

    def _tuple(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        items = self.known_items(positional[0])
        if items is not None:
            return self.let(node.args, lambda t: gast.Tuple([item_of(t, i) for i in range(len(items))], gast.Load()))
        return self.list_of(node, positional)

    def _sorted(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        """The elements in the order in which their places are sorted."""
        options = {k.arg: k.value for k in node.keywords}
        items, i, j = self.fresh("items"), self.fresh("i"), self.fresh("j")
        key: gast.expr = item_of(items, name(j))
        if "key" in options and self.facts.types[options["key"]].kind != "none":
            key = gast.Call(options["key"], [key], [])
        function = gast.Lambda(_one_parameter(j), key)
        over = expression(f"range(len({items}))")
        keywords = [gast.keyword("key", function), *(k for k in node.keywords if k.arg == "reverse")]
        order = gast.Call(node.func, [over], keywords)
        bound = gast.NamedExpr(name(items, store=True), self.list_of(node, positional))
        return Let([bound], comprehended(lambda v: item_of(items, name(v)), i, order))

    def _map(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        function, *sources = node.args
        if len(sources) == 1:
            return comprehended(
                lambda v: gast.Call(function, [name(v)], []), self.fresh("v"), sources[0], gast.GeneratorExp
            )
        parts = [self.fresh("v") for _ in sources]
        target = gast.Tuple([name(p, store=True) for p in parts], gast.Store())
        zipped = gast.Call(name("zip"), sources, [])
        element = gast.Call(function, [name(p) for p in parts], [])
        return gast.GeneratorExp(element, [gast.comprehension(target, zipped, [], False)])

    def _filter(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        function, source = node.args
        v = self.fresh("v")
        absent = isinstance(function, gast.Constant) and function.value is None
        test = name(v) if absent else gast.Call(function, [name(v)], [])
        return gast.GeneratorExp(name(v), [gast.comprehension(name(v, store=True), source, [test], False)])

    def _dict(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        source = node.args[0]
        more = [constant(k.arg) if k.arg else None for k in node.keywords]
        values = [k.value for k in node.keywords]
        if positional[0].kind != "dict":
            key, value = self.fresh("key"), self.fresh("value")
            target = gast.Tuple([name(key, store=True), name(value, store=True)], gast.Store())
            source = gast.DictComp(name(key), name(value), [gast.comprehension(target, source, [], False)])
            if not more:
                return source
        return gast.Dict([None, *more], [source, *values])

    def _star_mapped(self, node: gast.Call, count: int) -> gast.expr:
        """itertools.starmap(f, xs), of a function of two → [f(p, q) for p, q in xs]."""
        names = [self.fresh("argument") for _ in range(count)]
        target = gast.Tuple([name(n, store=True) for n in names], gast.Store())
        called = gast.Call(node.args[0], [name(n) for n in names], [])
        return gast.ListComp(called, [gast.comprehension(target, node.args[1], [], False)])

    def _tee(self, node: gast.Call, positional: list[Value]) -> gast.expr | None:
        """itertools.tee(xs) → items = list(xs); iter(items), iter(items)."""
        known = positional[1].known if len(positional) > 1 else None
        count = known.value if known is not None else 2
        listed = gast.Call(name("list"), node.args[:1], [])
        made = [gast.Call(name("iter"), [name("items")], []) for _ in range(count)]

        def build(items: str) -> gast.expr:
            for call in made:
                call.args[0].id = items
            return gast.Tuple(list(made), gast.Load())

        return self.let([listed], build)

    def _partial(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        """partial(f, a, k=b) → lambda *rest, **named: f(a, *rest, **{"k": b, **named}), a and b evaluated now.

        Of one of Python's own: partial(pow, a) → lambda y: pow(a, y).
        """
        keywords = list(node.keywords)
        names = _awaited(positional, {k.arg for k in keywords})

        def build(*held: str) -> gast.expr:
            given: list[gast.expr] = [name(h) for h in held[1 : len(node.args)]]
            named = [gast.keyword(k.arg, name(h)) for k, h in zip(keywords, held[len(node.args) :])]
            if names:
                return self.forwarding(name(held[0]), given, names, named)
            return self.applied_later(name(held[0]), given, named)

        return self.let([*node.args, *(k.value for k in keywords)], build, "given", anew=True)

    def _itemgetter(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        """operator.itemgetter(0, 2) → lambda thing: (thing[0], thing[2])."""
        thing = self.fresh("thing")

        def build(*keys: str) -> gast.expr:
            items: list[gast.expr] = [item_of(thing, name(k)) for k in keys]
            return gast.Lambda(_one_parameter(thing), items[0] if len(items) == 1 else gast.Tuple(items, gast.Load()))

        return self.let(node.args, build, "key", anew=True)

    def _attrgetter(self, node: gast.Call, positional: list[Value]) -> gast.expr | None:
        """operator.attrgetter("a.b") → lambda thing: thing.a.b."""
        words = [v.known.value if v.known is not None else None for v in positional]
        if not words or not all(isinstance(w, str) for w in words):
            return None
        thing = self.fresh("thing")
        items = [expression(f"{thing}.{w}") for w in words]
        return gast.Lambda(_one_parameter(thing), items[0] if len(items) == 1 else gast.Tuple(items, gast.Load()))

    def _methodcaller(self, node: gast.Call, positional: list[Value]) -> gast.expr | None:
        """operator.methodcaller("step", v, n=3) → lambda thing: thing.step(v, n=3)."""
        word = positional[0].known.value if positional and positional[0].known is not None else None
        if not isinstance(word, str) or any(k.arg is None for k in node.keywords):
            return None
        thing = self.fresh("thing")
        words = [k.arg for k in node.keywords]

        def build(*held: str) -> gast.expr:
            given: list[gast.expr] = [name(h) for h in held[: len(held) - len(words)]]
            named = [gast.keyword(w, name(h)) for w, h in zip(words, held[len(given) :])]
            return gast.Lambda(_one_parameter(thing), gast.Call(expression(f"{thing}.{word}"), given, named))

        return self.let([*node.args[1:], *(k.value for k in node.keywords)], build, "given", anew=True)

    def applied_later(self, function: gast.expr, given: list[gast.expr], named: list[Any]) -> gast.expr:
        """lambda *rest, **more: function(given, *rest, **{named, **more})."""
        rest, more = self.fresh("rest"), self.fresh("more")
        keys = [*(constant(k.arg) for k in named), None]
        every = gast.Dict(keys, [*(k.value for k in named), name(more)]) if named else name(more)
        called = gast.Call(function, [*given, gast.Starred(name(rest), gast.Load())], [gast.keyword(None, every)])
        return gast.Lambda(arguments_of(rest, more), called)

    def forwarding(
        self, function: gast.expr, given: list[gast.expr], names: list[str], named: Sequence[Any] = (), defaults: Sequence[Any] = ()
    ) -> gast.expr:
        """lambda x: function(given, x), with the parameters of these names; without names whatever is passed is passed on."""
        if not names:
            return self.applied_later(function, given, [])
        parameters = [gast.Name(n, gast.Param(), None, None) for n in names]
        called = gast.Call(function, [*given, *map(name, names)], list(named))
        return gast.Lambda(gast.arguments(parameters, [], None, [], [], None, list(map(clone, defaults))), called)

    def _extreme(self, node: gast.Call, positional: list[Value]) -> gast.expr:
        """max(xs, key=f) → the element at the place where f is largest."""
        key = next(k.value for k in node.keywords if k.arg == "key")
        source = node.args[0] if len(node.args) == 1 else gast.Tuple(list(node.args), gast.Load())
        items, j = self.fresh("items"), self.fresh("j")
        place = gast.Call(
            node.func,
            [expression(f"range(len({items}))")],
            [gast.keyword("key", gast.Lambda(_one_parameter(j), gast.Call(key, [item_of(items, name(j))], [])))],
        )
        whole = gast.Call(name("list"), [source], [])
        return Let([gast.NamedExpr(name(items, store=True), whole)], item_of(items, place))


def item_of(held: str, index: Any) -> gast.Subscript:
    return gast.Subscript(name(held), index if isinstance(index, gast.AST) else constant(index), gast.Load())


def comprehended(
    element: Callable[[str], gast.expr], target: str, source: gast.expr, kind: Any = gast.ListComp
) -> gast.expr:
    return kind(element(target), [gast.comprehension(name(target, store=True), source, [], False)])


def arguments_of(*words: str) -> gast.arguments:
    """The parameter list (*rest, **named)."""
    rest, named = (gast.Name(w, gast.Param(), None, None) for w in words)
    return gast.arguments([], [], rest, [], [], named, [])


def plain_parameters(code: Any, defaults: bool = False) -> list[str]:
    """The parameters of a function that takes just so many; of any other none. `defaults`: literal ones may be left out."""
    a = code.tree.args
    told = all(isinstance(d, gast.Constant) for d in a.defaults) if defaults else not a.defaults
    return code.parameters if told and not (a.vararg or a.kwarg or a.kwonlyargs) else []


def _awaited(positional: list[Value], keywords: set[Any]) -> list[str]:
    """The parameters of a builtin function that have no default, but for those that are given."""
    thing = positional[0].known.value if positional[0].known is not None else None
    rule = rule_of(thing) if getattr(thing, "__module__", "") == "builtins" else None
    if rule is None or rule.text.vararg is not None:
        return []
    missing = rule.text.parameters[len(positional) - 1 : rule.text.positional]
    return [f"{p}_" for p in missing if p not in rule.text.defaults and p not in keywords]


def _one_parameter(word: str) -> gast.arguments:
    return gast.arguments([gast.Name(word, gast.Param(), None, None)], [], None, [], [], None, [])


MAKERS = (functools.partial, functools.wraps, functools.update_wrapper, getattr)  # of functions, and fields that may be
GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
HIGHER = (map, filter, functools.partial)  # active values may come in by the function they apply
PERHAPS = (getattr, operator.attrgetter, operator.methodcaller)  # where it is of another kind, the call stays as it is
