"""Generators: gone through at once they are lists; one that is kept makes its list when the first item is asked for.

    sum(x * v for v in vs)      a list, summed
    m = (x * v for v in vs)  →  m = Generated(lambda: list(x * v for v in vs)); a class of frontend/iterators.py
    next(m)                  →  m.following()
    it = iter(vs)            →  it = Walked(vs)

Where something else happens between two items that makes a difference, a generator runs step by step:

    for v in powers(x): ...        →  while held.more(): v = held.taken(); ...
    zip(powers(x), vs)             →  stepped_zip(powers(x), walked(vs))
"""

import itertools
from typing import Any

import gast

from pullback.compiler.analysis.interleaving import BETWEEN
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.protocols import method_of
from pullback.compiler.analysis.values import ONCE, OPAQUE, Value, replace
from pullback.compiler.frontend import iterators
from pullback.compiler.frontend.endings import ending
from pullback.compiler.frontend.iterators import Asked, Generated, Sent, Stepped, Walked
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import expression, name

ITERATORS = (map, filter, zip, enumerate, reversed)
STEPPED: dict[Any, Any] = {  # what iterators over such a generator are
    enumerate: iterators.stepped_enumerate,
    map: iterators.stepped_map,
    filter: iterators.stepped_filter,
    itertools.islice: iterators.stepped_slice,
    itertools.takewhile: iterators.stepped_while,
    itertools.dropwhile: iterators.stepped_after,
}
ZIPS = {2: iterators.stepped_zip, 3: iterators.stepped_zip_of_three}
ENDLESS: dict[Any, Any] = {  # what goes on for ever
    itertools.count: iterators.counted,
    itertools.cycle: iterators.cycled,
    itertools.repeat: iterators.repeated_on,
}
BY_FUNCTION = (map, filter, itertools.takewhile, itertools.dropwhile)  # their second argument is gone through


def endless_text(thing: Any, call: Any) -> Any:
    """The text for a call of what goes on for ever, as long as it is asked; None for any other."""
    ends = thing is itertools.repeat and len(call.args) + len(call.keywords) > 1
    return None if ends else next((text for t, text in ENDLESS.items() if t is thing), None)


class Generators(Part):
    """The transfer function of generators and iterators."""


    def lazy(self, value: Value) -> Value:
        return replace(value, code=ONCE) if value.kind == "list" else value

    def is_lazy(self, node: gast.expr) -> bool:
        """Is the value of the node an iterator that runs when it is gone through?"""
        value = self.facts.types[node]
        return self.varied(value) and (value.code == ONCE or self.facts.resolved.get(node) in ITERATORS)

    def kept(self, node: gast.expr, env: Env, passed: bool = False) -> gast.expr:
        """An expression whose value outlives the place where it is made, or is passed on: a generator as an object."""
        if not isinstance(node, (gast.GeneratorExp, gast.Call)) or not (passed or hasattr(node, "kept")):
            return node
        self.value(node, env)
        if not self.is_lazy(node):
            return node
        held: list[gast.NamedExpr] = []

        def hold(part: gast.expr) -> gast.expr:
            if isinstance(part, (gast.Constant, gast.Starred, gast.Lambda)):
                return part
            held.append(gast.NamedExpr(name(self.fresh("held"), store=True), part))
            return name(held[-1].target.id)

        if isinstance(node, gast.GeneratorExp):
            first = node.generators[0]
            again = [gast.comprehension(first.target, hold(first.iter), first.ifs, False), *node.generators[1:]]
            later: gast.expr = gast.GeneratorExp(node.elt, again)
        else:
            keywords = [gast.keyword(k.arg, hold(k.value)) for k in node.keywords]
            later = gast.Call(node.func, [hold(a) for a in node.args], keywords)
        made = self._generated(gast.Call(name("list"), [later], []))
        return self.placed(Let(held, made) if held else made, node)

    def at_once(self, node: gast.expr, env: Env) -> gast.expr:
        """What is gone through to its end where it stands: the list of what an active iterator, or object, hands on."""
        value = self.value(node, env)
        if not self.varied(value) or isinstance(node, gast.Call) and self.facts.resolved.get(node) is list:
            return node
        own = value.kind == "object" and (self.is_stepped(value) or self.interpreter.protocols.iterator_of(value) is not None)
        iterator = own or value.kind == "dict" or self.facts.resolved.get(node) in (reversed, enumerate)
        return self.placed(gast.Call(name("list"), [node], []), node) if iterator else node

    def _generated(self, items: gast.expr) -> gast.expr:
        none = gast.arguments([], [], None, [], [], None, [])
        return gast.Call(self.given(Generated), [gast.Lambda(none, items)], [])

    # -- generators that run step by step -------------------------------------------------------

    def is_stepped(self, value: Value, also_kept: bool = True) -> bool:
        cls = value.known.value if value.kind == "object" and value.known is not None else None
        if cls in (Stepped, Sent, Asked) or also_kept and cls in (Generated, Walked):
            return True
        return self.own_iterator(value) is not None

    def own_iterator(self, value: Value) -> Any:
        """What an object of the user's that is an iterator is asked by for its next item."""
        cls = value.known.value if value.kind == "object" and value.known is not None else None
        function = method_of(cls, "__next__") if cls is not None and self.varied(value) else None
        return ending(function) if function is not None else None

    def asking(self, value: Value, node: gast.expr) -> gast.expr:
        """The iterator as one that says whether there are more items: of an object, what its `__iter__` returns."""
        if self.own_iterator(value) is None:
            return node
        begun = method_of(value.known.value, "__iter__") if value.known is not None else None
        source = node if begun is None else gast.Call(self.given(begun), [node], [])
        return gast.Call(self.given(Asked), [source], [])

    def call_asked(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        function = self.own_iterator(positional[0])
        if function is None:
            return self.unsettled(node, "a loop through an object") if self.varied(positional[0]) else OPAQUE
        return self.calling(node, function, node.args, env)

    def each(self, node: gast.expr, left: bool, env: Env, inside: list[Any]) -> Value:
        """An item of what a loop goes through; `left`: it may be left before the end; `inside`: what runs between two."""
        value = self.value(node, env)
        if self.is_stepped(value, also_kept=left or self._taken_from(value, inside, env)):
            return self.stepped_items(node, env)
        value = self.interpreter.protocols.gone_through(node, env)
        return self.stepped_items(node, env) if self.is_stepped(value, also_kept=False) else self.element(value, node)

    def _taken_from(self, value: Value, inside: list[Any], env: Env) -> bool:
        """May what runs inside a loop take items from what the loop goes through?"""
        return value.kind == "object" and bool(value.sites & self.reached_from(inside, env))

    def stepped_items(self, node: gast.expr, env: Env) -> Value:
        """What a loop through such a generator binds its target to; one that yields there may go on as long as it does."""
        self.code.may_go_on |= self.code.generates
        meanings = self.program.meanings
        if (node, "steps") not in meanings:
            held = self.fresh("held")
            source = self.facts.meanings.get(node, node)  # of an object, the call of its `__iter__`
            source = self.asking(self.facts.types[node], source)
            start = Let([gast.NamedExpr(name(held, store=True), source)], name(held))
            parts = (start, expression(f"{held}.more()"), expression(f"{held}.taken()"))
            meanings[node, "steps"] = tuple(self.placed(p, node) for p in parts)
        start, test, item = self.facts.stepping[node] = meanings[node, "steps"]
        self.value(start, env)
        self.value(test, env)
        result: Value = self.value(item, env)
        return result

    def meaning_of_steps(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """zip, map, islice, ... of a generator that runs step by step: another one."""
        function = ZIPS.get(len(node.args)) if thing is zip else STEPPED.get(thing) if thing in ITERATORS or callable(thing) else None
        if function is None or node.keywords and thing is not enumerate:
            return None
        places = range(len(node.args)) if thing is zip else [1 if thing in BY_FUNCTION else 0]
        if len(node.args) <= max(places) or thing is map and len(node.args) != 2:
            return None
        values = [self.value(node.args[i], env) for i in places]
        if not any(self.is_stepped(v, thing is not enumerate) for v in values):
            return None
        if thing is itertools.islice and len(node.args) == 2:
            function = iterators.stepped_first
        walked = [gast.Call(self.given(iterators.walked), [a], []) if i in places else a for i, a in enumerate(node.args)]
        return self.meant(node, lambda: gast.Call(self.given(function), walked, node.keywords), env, function)

    def call_walked(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """What `more` and `taken` are called on."""
        value = positional[0]
        if self.is_stepped(value):
            return self.meant(node, lambda: self.asking(value, node.args[0]), env)
        source, thing = node.args[0], self.facts.resolved.get(node.args[0])
        endless = endless_text(thing, source)
        if endless is not None and isinstance(source, gast.Call):
            return self.meant(node, lambda: gast.Call(self.given(endless), source.args, source.keywords), env, endless)
        whole = value.kind in ("list", "tuple", "array")
        items = node.args[0] if whole else gast.Call(name("list"), node.args, [])
        return self.as_steps(self.meant(node, lambda: gast.Call(self.given(Walked), [items], []), env, whole))

    def as_steps(self, value: Value) -> Value:
        """A generator that runs step by step is one wherever it goes, whether its items are active or not."""
        for cell in self.program.cells(value):
            self.program.mark(cell, "varied")
        return value

    def call_iter(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        value = positional[0]
        if self.code.name == "__iter__" and value.kind in ("list", "tuple", "array"):
            return self.meant(node, lambda: node.args[0], env)  # whoever called it goes through it once
        if not self.varied(value) or len(node.args) > 1:
            return self.unsettled(node, "an explicit iterator over active values") if self.varied(value) else OPAQUE
        if value.kind == "object" and method_of(value.known.value if value.known else None, "following") is not None:
            return self.meant(node, lambda: node.args[0], env)
        if value.kind == "object":
            return self._iterator_of_object(value, node, env)
        if value.kind not in ("list", "tuple", "array", "dict"):
            return self.unsettled(node, "an explicit iterator over active values")

        items = gast.Call(name("list"), node.args, []) if value.kind == "dict" else node.args[0]
        return self.meant(node, lambda: gast.Call(self.given(Walked), [items], []), env, value.kind)

    def _iterator_of_object(self, value: Value, node: gast.Call, env: Env) -> Value:
        """iter(bag) → iter(__iter__(bag)), where that is a list or array which the iterator then reads item by item."""
        begun = method_of(value.known.value, "__iter__") if value.known is not None else None
        if begun is not None and self.own_iterator(value) is None:
            items = self.placed(gast.Call(self.given(begun), node.args, []), node) if (node, "iter") not in self.program.meanings else None
            items = self.program.meanings.setdefault((node, "iter"), items)
            held = self.value(items, env)
            if held.kind in ("list", "array") and held.code != ONCE:
                return self.meant(node, lambda: gast.Call(node.func, [items], []), env)
        return self.unsettled(node, "an explicit iterator over active values")

    def call_next(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """next(m), next(m, v)."""
        value, source = positional[0], node.args[0]
        if not any(self.varied(v) for v in positional):
            return self.unknown(node, *positional)
        if self.own_iterator(value) is not None and len(node.args) == 1:
            return self.calling(node, method_of(value.known.value, "__next__"), [source], env)
        if self.is_stepped(value) and self.own_iterator(value) is None:
            for cell in self.program.cells(value):
                self.program.mark(cell, "partial")
            following = gast.Attribute(source, "following", gast.Load())
            return self.meant(node, lambda: gast.Call(following, node.args[1:], []), env)
        if value.kind != "list" or value.code != ONCE:
            return self.unsettled(node, "an explicit iterator over active values")

        def build(items: str) -> gast.expr:
            first = expression(f"{items}[0]")
            return gast.IfExp(expression(f"len({items}) > 0"), first, node.args[1]) if len(node.args) > 1 else first

        return self.meant(node, lambda: self.let([gast.Call(name("list"), [source], [])], build), env)

    def of_GeneratorExp(self, node: gast.GeneratorExp, env: Env) -> Value:
        if hasattr(node, "interleaved") and any(self.varied(v) for v in self.spec.parameters.values()):
            self.refuse(node, *BETWEEN)
            return replace(OPAQUE, varied=True)
        return self.lazy(self.interpreter.expressions.of_ListComp(node, env))
