"""Loops over active sequences become loops over indices; comprehensions and folds become loops.

for k, (p, q) in enumerate(zip(a, b)):   →   for k in range(min(len(a), len(b))):
    s += p * q                                   p = a[k]
                                                 q = b[k]
                                                 s += p * q
"""

import itertools
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.analysis.effects import with_meanings
from pullback.compiler.analysis.generators import endless_text
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, clone, constant, expression, name, statements
from pullback.compiler.ir.walk import assigned, every_node
from pullback.compiler.normalise.context import Part
from pullback.compiler.normalise.targets import simple_index

if TYPE_CHECKING:
    from pullback.compiler.normalise.flatten import Flattener

FOLDS = {sum: "sum", min: "min", max: "max"}


class Iteration(Part):
    """The part of the flattener that deals with loops."""

    def __init__(self, flattener: "Flattener") -> None:
        super().__init__(flattener)
        self.rebound: set[str] = set()  # names that the body of the loop at hand assigns

    def do_For(self, s: gast.For, out: list[gast.stmt]) -> list[gast.stmt]:
        if s.iter in self.facts.stepping:
            return self._step_by_step(s, out)
        s.iter = self._spelled(s.iter)
        if self.flattener.ordering.head_changes(s, s.iter) and not self.active(s.iter) and not self._parts_active(s.iter):
            over = self.names.fresh("over")
            calls = any(self.active_call(n) for n in every_node(s.iter))
            made = self.flattener.lowered(s.iter, out, top=True) if calls else s.iter
            out.append(gast.copy_location(assign(over, made), s))
            self.facts.types[out[-1].targets[0]] = self.type_of(s.iter)  # type: ignore[attr-defined]
            s.iter = self.variable_for(over, s.iter)
        if self._grows_inside(s):
            return self._while_it_grows(s, out)
        if not self.active(s.iter) and not self._parts_active(s.iter):
            self.flattener.taken_whole.add(s.iter)
            s.iter = self.flattener.lowered(s.iter, out)
            s.body = self.flattener.block(s.body)
            return [s]
        body = self.flattener.block(s.body)
        self.rebound = {n for inner in body for n in assigned(inner)} | assigned(s.target)
        head, first = self.indexed(s.target, s.iter, out)
        s.target, s.iter = head
        for statement in first:
            gast.copy_location(statement, s)
            statement.certain = True  # the index is one of the sequence
        s.body = [*first, *body]
        return [s]

    def _spelled(self, node: gast.expr) -> gast.expr:
        """zip(bag, xs) → zip(__iter__(bag), xs), which is gone through as it stands."""
        meant = self.facts.meanings.get(node)
        if isinstance(meant, gast.Call) and self._iterator(meant) is not None:
            return meant
        return node

    def _step_by_step(self, s: gast.For, out: list[gast.stmt]) -> list[gast.stmt]:
        """for v in steps: ... →  while steps.more(): v = steps.taken(); ..."""
        start, test, item = self.facts.stepping[s.iter]
        self.flattener.lowered(start, out)
        first = gast.copy_location(gast.Assign([s.target], item, None), s)
        loop = gast.copy_location(gast.While(test, [first, *s.body], []), s)
        return self.flattener.do_While(loop, out)

    def _grows_inside(self, s: gast.For) -> bool:
        """Does the body change how many elements the list has that it iterates over?"""
        over = s.iter.args[0] if self._iterator(s.iter) is enumerate else s.iter
        value = self.type_of(over)
        if value.kind != "list" or any(c.items is not None for c in self.program.cells(value)):
            return False
        inside = (n for inner in s.body for n in every_node(inner) if isinstance(n, gast.stmt))
        written = {self.program.root(site) for n in inside for site in self.facts.writes.get(n, frozenset())}
        return bool(written & self.program.roots(value))

    def _while_it_grows(self, s: gast.For, out: list[gast.stmt]) -> list[gast.stmt]:
        """for v in xs: ... xs.append(w) →  i = 0; while i < len(xs): v = xs[i]; i += 1; ..."""
        if not isinstance(s.iter, gast.Name) or s.iter.id in {n for inner in s.body for n in assigned(inner)}:
            self.program.refuse(
                self.spec.code,
                s.iter,
                "iteration",
                "cannot follow this iteration",
                "The list changes its length while a loop goes through it.",
                "go through a copy, as in `for v in list(xs)`",
            )
            return [s]
        index = self.names.fresh("i")
        out += statements(f"{index} = 0")
        first: list[gast.stmt] = []
        self._set(s.target, gast.Subscript(clone(s.iter), name(index), gast.Load()), first)
        step = statements(f"{index} = {index} + 1")
        test = expression(f"{index} < len(xs)", xs=s.iter)
        loop = gast.While(test, [*first, *step, *self.flattener.block(s.body)], [])
        for new in [*first, *step, loop]:
            gast.copy_location(new, s)
        return [loop]

    def _parts_active(self, node: gast.expr) -> bool:
        return (
            isinstance(node, gast.Call) and any(self.active(a) for a in node.args) and self._iterator(node) is not None
        )

    def _iterator(self, node: gast.expr) -> Any:
        plain = isinstance(node, gast.Call) and node not in self.facts.meanings
        thing = self.facts.resolved.get(node) if plain else None
        return thing if thing in (zip, enumerate, reversed) else None

    def indexed(self, target: gast.expr, iterable: gast.expr, out: list[gast.stmt]) -> tuple[Any, list[gast.stmt]]:
        """((target, iterable) of a loop over indices, the statements that fetch the elements)."""
        first: list[gast.stmt] = []
        counter = None
        source = iterable
        start: gast.expr = constant(0)
        if self._iterator(iterable) is enumerate and isinstance(target, gast.Tuple):
            source = iterable.args[0]
            start = (
                iterable.args[1]
                if len(iterable.args) > 1
                else (iterable.keywords[0].value if iterable.keywords else start)
            )
            counter, target = target.elts
        plain_counter = isinstance(counter, gast.Name) and isinstance(start, gast.Constant) and start.value == 0
        index = counter.id if plain_counter and isinstance(counter, gast.Name) else self.names.fresh("i")
        if counter is not None and not plain_counter:
            start = self._steady(start, out)
            first.append(gast.Assign([counter], expression("start + i", start=start, i=index), None))
        length = self._fetch(target, source, index, out, first)
        return (name(index, store=True), expression("range(n)", n=length)), first

    def _fetch(
        self, target: gast.expr, source: gast.expr, index: str, out: list[gast.stmt], first: list[gast.stmt]
    ) -> gast.expr:
        """Add the statements that set the target from the source; returns the source's length."""
        source = self._spelled(source)
        kind = self._iterator(source)
        if kind is zip:
            return self._fetch_zip(target, source, index, out, first)
        if kind is reversed:
            held = self._held(source.args[0], out)
            self._set(target, expression(f"held[len(held) - 1 - {index}]", held=held), first)
            return expression("len(held)", held=held)
        if kind is enumerate:
            inner = self.names.fresh("item")
            length = self._fetch(name(inner, store=True), source.args[0], index, out, first)
            self._set(target, expression(f"({index}, {inner})"), first)
            return length
        if self._is_dict_view(source):
            return self._fetch_dict(target, source, index, out, first)
        if self.type_of(source).kind == "opaque" or self.runs_once(source):  # a dict, perhaps, or a set
            source = gast.Call(name("list"), [source], [])
        held = self._held(source, out)
        self._set(target, expression(f"held[{index}]", held=held), first)
        return expression("len(held)", held=held)

    def _fetch_zip(
        self, target: Any, source: Any, index: str, out: list[gast.stmt], first: list[gast.stmt]
    ) -> gast.expr:
        if isinstance(target, gast.Tuple) and len(target.elts) == len(source.args):
            targets = target.elts
        else:
            targets = [name(self.names.fresh("item"), store=True) for _ in source.args]
        endless = [self._is_endless(a) for a in source.args]
        if all(endless):
            endless = [False] * len(endless)
        pairs = list(zip(targets, source.args))
        lengths = [self._fetch(*pair, index, out, first) for pair, on in zip(pairs, endless) if not on]
        least = lengths[0] if len(lengths) == 1 else gast.Call(name("min"), lengths, [])
        for pair in itertools.compress(pairs, endless):
            self._fetch_endless(*pair, least, index, out, first)
        if targets is not getattr(target, "elts", None):
            self._set(target, gast.Tuple([name(t.id) for t in targets], gast.Load()), first)
        return least

    def _is_endless(self, source: gast.expr) -> bool:
        """Is it a call of what goes on for ever, as long as it is asked?"""
        return not self.active(source) and endless_text(self.facts.resolved.get(source), source) is not None

    def _fetch_endless(
        self, target: gast.expr, source: gast.expr, length: gast.expr, index: str, out: list[gast.stmt], first: list[gast.stmt]
    ) -> None:
        """As many items as the others that are gone through with it have."""
        taken = gast.Call(name(self.spec.code.give(itertools.islice)), [source, clone(length)], [])
        held = self._held(gast.Call(name("list"), [taken], []), out)
        self._set(target, expression(f"held[{index}]", held=held), first)

    def _is_dict_view(self, source: gast.expr) -> bool:
        if self.type_of(source).kind == "dict":
            return True
        return (
            isinstance(source, gast.Call)
            and isinstance(source.func, gast.Attribute)
            and source.func.attr in ("items", "values", "keys")
            and self.type_of(source.func.value).kind == "dict"
        )

    def _fetch_dict(
        self, target: Any, source: Any, index: str, out: list[gast.stmt], first: list[gast.stmt]
    ) -> gast.expr:
        """The keys are listed once; values are read by key."""
        view = source.func.attr if isinstance(source, gast.Call) else "keys"
        base = self._held(source.func.value if isinstance(source, gast.Call) else source, out)
        keys = self.names.fresh("keys")
        out.append(assign(keys, expression("list(base)", base=base)))
        key = expression(f"{keys}[{index}]")
        item = gast.Subscript(clone(base), key, gast.Load())
        if view == "items" and isinstance(target, gast.Tuple) and len(target.elts) == 2:
            self._set(target.elts[0], key, first)
            self._set(target.elts[1], item, first)
        elif view == "items":
            self._set(target, gast.Tuple([key, item], gast.Load()), first)
        else:
            self._set(target, item if view == "values" else key, first)
        return expression(f"len({keys})")

    def _steady(self, start: gast.expr, out: list[gast.stmt]) -> gast.expr:
        """A number that is read once, before the loop."""
        lowered = self.flattener.lowered(start, out)
        if isinstance(lowered, gast.Constant) or isinstance(lowered, gast.Name) and lowered.id not in self.rebound:
            return lowered
        held = self.names.fresh("start")
        out.append(assign(held, lowered))
        return name(held)

    def _held(self, source: gast.expr, out: list[gast.stmt]) -> gast.expr:
        lowered = self.flattener.lowered(source, out)
        if isinstance(lowered, gast.Name) and lowered.id not in self.rebound:
            return lowered
        if self.type_of(source).kind == "opaque" and not isinstance(lowered, (gast.List, gast.Tuple)):
            lowered = expression("list(source)", source=lowered)
        held = self.names.fresh(
            "items" if isinstance(lowered, (gast.List, gast.Tuple, gast.Call)) else described(lowered)
        )
        out.append(assign(held, lowered))
        return name(held)

    def _set(self, target: gast.expr, value: gast.expr, first: list[gast.stmt]) -> None:
        if isinstance(target, (gast.Tuple, gast.List)):
            if isinstance(value, gast.Tuple):
                for element, item in zip(target.elts, value.elts):
                    self._set(element, item, first)
                return
            held = self.names.fresh("item")
            first.append(assign(held, value))
            if target in self.facts.types:
                self.facts.types[value] = self.facts.types[target]
            first += self.flattener.targets.take_apart(target, name(held), value, first[-1])
            return
        if not simple_index(target):
            target = self.flattener.targets.settled_target(target, first)
        first.append(gast.Assign([target], value, None))

    # -- comprehensions -----------------------------------------------------------------------

    def comprehended(self, node: Any, out: list[gast.stmt]) -> gast.expr:
        """[e for v in xs if c] → items = []; for v in xs: if c: items.append(e)."""
        held = self.names.fresh("items")
        if isinstance(node, gast.DictComp):
            made = assign(held, gast.Dict([], []))
            renamed = self._renamed(node)
            slot = gast.Subscript(self.variable_for(held, node), renamed.key, gast.Store())
            innermost: list[gast.stmt] = [gast.Assign([slot], renamed.value, None)]
        else:
            made = assign(held, gast.List([], gast.Load()))
            renamed = self._renamed(node)
            append = gast.Attribute(self.variable_for(held, node), "append", gast.Load())
            innermost = [gast.Expr(gast.Call(append, [renamed.elt], []))]
            innermost[0].value.plain = True
        if hasattr(node, "stands_for"):
            made.value.stands_for = node.stands_for
        out.append(made)
        out += self._loops(renamed, innermost, out)
        return name(held)

    def _renamed(self, node: Any) -> Any:
        """The comprehension with targets that clash with no variable of the function."""
        targets = {n.id for g in node.generators for n in every_node(g.target) if isinstance(n, gast.Name)}
        fresh = {t: self.names.fresh(t) for t in sorted(targets)}
        for inner in with_meanings(self.facts, node):
            if isinstance(inner, gast.Name) and inner.id in fresh:
                inner.id = fresh[inner.id]
        node.generators[0].iter = _restored(node.generators[0].iter, {v: k for k, v in fresh.items()})
        return node

    def _loops(self, node: Any, innermost: list[gast.stmt], out: list[gast.stmt]) -> list[gast.stmt]:
        body = innermost
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [gast.If(test, body, [])]
            body = [gast.For(generator.target, generator.iter, body, [], None)]
        for statement in body:
            for inner in every_node(statement):
                if isinstance(inner, gast.stmt) and getattr(inner, "lineno", None) is None:
                    gast.copy_location(inner, node)
        return list(self.flattener.block(body))

    # -- folds --------------------------------------------------------------------------------

    def folds(self, node: gast.Call) -> bool:
        """Is this sum, min or max of Python numbers, to be written out as a loop or as comparisons?"""
        thing = self.facts.resolved.get(node)
        if thing not in FOLDS or any(self.type_of(a).kind == "dict" for a in node.args):
            return False  # of a dict it is the keys
        return self.active(node) or any(self.active(a) for a in node.args)

    def folded(self, node: gast.Call, out: list[gast.stmt]) -> gast.expr:
        """sum(xs) → total = 0; for x in xs: total = total + x. min(a, b) → a comparison."""
        thing = self.facts.resolved[node]
        if thing is sum:
            first = (
                node.args[1]
                if len(node.args) > 1
                else next((k.value for k in node.keywords if k.arg == "start"), constant(0))
            )
            held = self.names.fresh("total")
            out.append(assign(held, self.flattener.lowered(first, out)))
            return self._total(node.args[0], held, out)
        held = self.names.fresh("smallest" if thing is min else "largest")
        sign = "<" if thing is min else ">"
        if len(node.args) > 1:
            operands = [self._atom(a, out) for a in node.args]
            out.append(assign(held, operands[0]))
            for operand in operands[1:]:
                out += statements(f"if item {sign} {held}:\n    {held} = item", item=operand)
            return name(held)
        return self._fold_extreme(node, held, out)

    def _atom(self, node: gast.expr, out: list[gast.stmt]) -> gast.expr:
        lowered = self.flattener.lowered(node, out)
        return lowered if isinstance(lowered, gast.Constant) else self.flattener.named(lowered, out)

    def _total(self, iterable: gast.expr, held: str, out: list[gast.stmt]) -> gast.expr:
        def added(item: gast.expr) -> gast.stmt:
            return assign(held, gast.BinOp(name(held), gast.Add(), item))

        if isinstance(iterable, (gast.GeneratorExp, gast.ListComp)):
            renamed = self._renamed(iterable)
            out += self._loops(renamed, [added(renamed.elt)], out)
            return name(held)
        if isinstance(iterable, (gast.List, gast.Tuple)) and not any(
            isinstance(e, gast.Starred) for e in iterable.elts
        ):
            for element in iterable.elts:
                out.append(added(self.flattener.lowered(element, out)))
            return name(held)
        if self._iterator(iterable) is not None:
            item = self.names.fresh("item")
            out += self.flattener.block([gast.For(name(item, store=True), iterable, [added(name(item))], [], None)])
            return name(held)
        lowered = self._held(iterable, out)
        index = self.names.fresh("i")
        item = gast.Subscript(clone(lowered), name(index), gast.Load())
        over = expression("range(len(held))", held=lowered)
        out.append(gast.For(name(index, store=True), over, [added(item)], [], None))
        return name(held)

    def _fold_extreme(self, node: gast.Call, held: str, out: list[gast.stmt]) -> gast.expr:
        source = node.args[0]
        default = next((k.value for k in node.keywords if k.arg == "default"), None)
        listed = (
            self.comprehended(source, out)
            if isinstance(source, (gast.GeneratorExp, gast.ListComp))
            else self._held(source, out)
        )
        place = self.names.fresh("place")
        text = f"{place} = extreme(range(len(listed)), key=listed.__getitem__)\n{held} = listed[{place}]"
        if default is None:
            out += statements(text, listed=listed, extreme=node.func)
        else:
            indented = "\n".join("    " + line for line in text.split("\n"))
            out += statements(
                f"if len(listed) == 0:\n    {held} = default\nelse:\n{indented}",
                listed=listed,
                extreme=node.func,
                default=self.flattener.lowered(default, out),
            )
        return name(held)


def _restored(tree: gast.expr, names: dict[str, str]) -> gast.expr:
    """The first iterable of a comprehension is evaluated outside: its names are the function's."""
    for node in every_node(tree):
        if isinstance(node, gast.Name) and node.id in names:
            node.id = names[node.id]
    return tree
