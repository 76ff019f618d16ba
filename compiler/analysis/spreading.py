"""Calls that pass sequences of unknown length, or dicts of unknown keys, with their arguments one by one.

f(*point)            →   f(point[0]) if len(point) == 1 else f(point[0], point[1]), as f has two parameters, one with a default
f(*point)            →   f(point[0], *point[1:]), as f has a parameter `*others`
f(**options)         →   f(rate=options["rate"] if "rate" in options else 0.1)
Point(*pair, **more) →   Point(pair[0], pair[1], z=more["z"]), as constructors get all they are given by themselves
"""

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Any

import gast

from pullback.compiler.analysis.binding import default_objects, default_texts
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Code, Env
from pullback.compiler.analysis.values import OPAQUE, Value
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name
from pullback.runtime.functions import check_keywords, check_length

UNTOLD = object()  # a default that has no text at the call
PLAIN = (gast.Name, gast.Constant, gast.Lambda)


@dataclasses.dataclass(frozen=True)
class Taken:
    """What a call may pass: the parameters by position and by keyword alone, and whether there is room for more."""

    positional: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    without_names: frozenset[str] = frozenset()  # parameters that no keyword names
    defaults: dict[str, Any] = dataclasses.field(default_factory=dict)  # objects, and texts that hold at the call
    more: bool = False  # *others
    named: bool = False  # **options


def taken_by(code: Code, owned: bool) -> Taken:
    """What a function takes; `owned`: but for its first parameter."""
    a = code.tree.args
    theirs = {**code.outermost().aliases, **code.aliases}
    word = {p.id: theirs.get(p.id, p.id) for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]}
    texts = {p: d if isinstance(d, gast.Constant) else UNTOLD for p, d in default_texts(code).items()}
    defaults: dict[str, Any] = {**texts, **default_objects(code)}
    return Taken(
        tuple(word[p.id] for p in [*a.posonlyargs, *a.args])[1 if owned else 0 :],
        tuple(word[p.id] for p in a.kwonlyargs),
        frozenset(word[p.id] for p in a.posonlyargs),
        {word[p]: d for p, d in defaults.items() if p in word},
        a.vararg is not None,
        a.kwarg is not None,
    )


def taken_by_class(cls: Any) -> Taken | None:
    """What a constructor that nobody wrote takes; None where that is not known."""
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        return Taken(cls._fields, defaults=dict(getattr(cls, "_field_defaults", {})))
    if not dataclasses.is_dataclass(cls):
        return None
    fields = [f for f in dataclasses.fields(cls) if f.init]
    given = {f.name: f if f.default is dataclasses.MISSING else f.default for f in fields if not _is_needed(f)}
    positional, keywords = ([f.name for f in fields if f.kw_only is only] for only in (False, True))
    return Taken(tuple(positional), tuple(keywords), defaults=given)


def _is_needed(field: Any) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


class Spreading(Part):
    """Starred arguments whose number, and double-starred ones whose keys, are not known."""

    def meaning_of_call(self, node: gast.Call, taken: Taken | None, env: Env, whole: bool = False) -> Value | None:
        """The value of a call with arguments that have to be told apart; `whole`: every starred one has to be.

        taken: what may be passed; None, where that is not known.
        """
        stars = [a for a in node.args if isinstance(a, gast.Starred)]
        doubles = [k.value for k in node.keywords if k.arg is None]
        if not stars and not doubles:
            return None
        counts = [self.count(self.value(a, env)) for a in stars]
        keys = [self.settled_keys(self.value(d, env)) for d in doubles]
        if taken is None:
            taken = Taken((), more=True, named=True)
            if None in counts or None in keys:
                return self._untold(node, "What the constructor takes is not known here.")
        told = None not in counts or counts == [None] and self._is_rest(node, taken)
        if told and (None not in keys or self._are_others(node, taken)) and not (whole and (stars or doubles)):
            return None
        return self.meant(node, lambda: self._told_apart(node, taken), env, whole, *counts, *keys)

    def meaning_of_primitive(self, node: gast.Call, active: bool, env: Env) -> Value | None:
        """np.power(*pair), m.sum(**options): with all arguments one by one, where it is known what these hold."""
        stars = [a for a in node.args if isinstance(a, gast.Starred)]
        doubles = [k.value for k in node.keywords if k.arg is None]
        if not stars and not doubles:
            return None
        values = [*(self.value(a, env) for a in node.args), *(self.value(k.value, env) for k in node.keywords)]
        known = [self.count(self.facts.types[a]) for a in stars] + [self.settled_keys(self.facts.types[d]) for d in doubles]
        if None in known or not (active or any(self.varied(v) for v in values)):
            return None
        return self.meaning_of_call(node, None, env, whole=True)

    def meaning_of_replacement(self, node: gast.Call, old: gast.expr, fields: Sequence[str], env: Env) -> Value | None:
        """replace(p, **changes): the fields of p, but for those that have a new value."""
        if all(k.arg is not None for k in node.keywords):
            return None
        if not isinstance(old, gast.Name):

            def build(held: str) -> gast.expr:
                method = gast.Attribute(name(held), "_replace", gast.Load())
                return gast.Call(*((node.func, [name(held)]) if node.args else (method, [])), node.keywords)

            return self.meant(node, lambda: self.let([old], build, "old"), env)
        kept = {f: gast.Attribute(clone(old), f, gast.Load()) for f in fields}
        return self.meaning_of_call(node, Taken(("",) * len(node.args), tuple(fields), defaults=kept), env, whole=True)

    def _is_rest(self, node: gast.Call, taken: Taken) -> bool:
        """f(a, b, *rest): a sequence as a whole, after all that has a parameter of its own."""
        last = node.args[-1]
        ours = isinstance(last, gast.Starred) and getattr(last.value, "id", None) in self.code.packed
        return ours and taken.more and len(node.args) == len(taken.positional) + 1

    def _are_others(self, node: gast.Call, taken: Taken) -> bool:
        """f(a, rate=b, **others): a dict as a whole, beside all that has a parameter of its own."""
        *named, last = node.keywords
        words = {k.arg for k in named}
        filled = {*taken.positional[: len(node.args)], *words}
        whole = taken.named and last.arg is None and getattr(last.value, "id", None) in self.code.packed
        return whole and filled == {*taken.positional, *taken.keywords} and len(named) + len(node.args) >= len(filled)

    def _untold(self, node: gast.Call, cause: str) -> Value:
        self.refuse(node, "star", "cannot tell which arguments this passes", cause, "pass the arguments one by one")
        return OPAQUE

    def _told_apart(self, node: gast.Call, taken: Taken) -> gast.expr:
        run: list[Any] = []
        given = [self._held(a, run) for a in node.args]
        named = [(k.arg, self._held(k.value, run)) for k in node.keywords]
        keys = [(w,) if w is not None else self.settled_keys(self.facts.types[v]) for w, v in named]
        words = [w for told in keys for w in told or ()]
        ways, (whole, others) = self._positional(given, taken, words, run)
        keywords = self._keywords(node, named, taken, len(whole), run)
        chosen: gast.expr = gast.Call(node.func, whole, keywords)
        chosen = Let(others, chosen) if others else chosen
        for test, arguments in reversed(ways):
            call = gast.Call(clone(node.func), arguments, [clone(k) for k in keywords])
            chosen = gast.IfExp(test, call, chosen)
        if ways and None in keys:
            self._untold(node, "The starred sequence has no known length, and there are defaults.")
        return Let(run, chosen) if run else chosen

    def _held(self, argument: gast.expr, run: list[Any], anew: bool = False) -> gast.expr:
        """The argument, evaluated in its turn."""
        if isinstance(argument, gast.Starred):
            held = gast.Starred(self._held(argument.value, run), gast.Load())
            self.facts.types[held] = self.facts.types[argument]
            return held
        if isinstance(argument, PLAIN):
            return argument
        bound = name(self.fresh("passed"))
        run.append(gast.NamedExpr(name(bound.id, store=True), argument))
        self.facts.types[bound] = self.facts.types.get(argument, Value("opaque"))
        return bound

    # -- by position --------------------------------------------------------------------------

    def _positional(
        self, given: list[gast.expr], taken: Taken, words: list[str], run: list[Any]
    ) -> tuple[list[tuple[gast.expr, list[gast.expr]]], tuple[list[gast.expr], list[Any]]]:
        """What is passed by position where a test holds; and else, with what has to be bound before."""
        found: list[gast.expr] = []
        for i, argument in enumerate(given):
            if not isinstance(argument, gast.Starred):
                found.append(argument)
                continue
            count = self.count(self.facts.types[argument])
            if count is None:
                own, more = found[: len(taken.positional)], found[len(taken.positional) :]
                held = self._packed("passed", gast.List([*more, *given[i:]], gast.Load()), run)
                return self._out_of(held, own, taken, words, run)
            found += [gast.Subscript(clone(argument.value), constant(j), gast.Load()) for j in range(count)]
        return [], (found, [])

    def _out_of(self, held: gast.Name, first: list[gast.expr], taken: Taken, words: list[str], run: list[Any]) -> Any:
        """The parameters that are left, out of a list of unknown length: by its length, as far as there are defaults."""
        left = list(itertools.takewhile(lambda p: p not in words, taken.positional[len(first) :]))
        least = len([p for p in left if p not in taken.defaults])
        most = constant(None if taken.more else len(left))
        run.append(gast.Expr(gast.Call(self.given(check_length), [clone(held), constant(least), most], [])))
        parts: list[gast.expr] = [gast.Subscript(clone(held), constant(i), gast.Load()) for i in range(len(left))]
        tests = [expression("len(r) == n", r=clone(held), n=constant(n)) for n in range(least, len(left))]
        ways = [(test, [*first, *parts[:n]]) for n, test in enumerate(tests, least)]
        if not taken.more:
            return ways, ([*first, *parts], [])
        others: list[Any] = []
        beyond = gast.Subscript(clone(held), gast.Slice(constant(len(left)), None, None), gast.Load())
        rest = self._packed("others", beyond, others) if left else held
        return ways, ([*first, *parts, gast.Starred(rest, gast.Load())], others)

    # -- by keyword ---------------------------------------------------------------------------

    def _keywords(
        self, node: gast.Call, named: list[tuple[str | None, gast.expr]], taken: Taken, filled: int, run: list[Any]
    ) -> list[gast.keyword]:
        found: dict[str, gast.expr] = {}
        loose: list[gast.expr] = []
        for word, value in named:
            keys = self.settled_keys(self.facts.types[value]) if word is None else None
            if word is not None:
                found[word] = value
            elif keys is not None:
                found |= {k: gast.Subscript(clone(value), constant(k), gast.Load()) for k in keys}
            else:
                loose.append(value)
        keywords = [gast.keyword(w, v) for w, v in found.items()]
        if not loose:
            return keywords
        left = [p for p in taken.positional[filled:] if p not in taken.without_names]
        left = [p for p in [*left, *taken.keywords] if p not in found]
        held = loose[0]
        if len(loose) > 1:
            held = self._packed("passed", gast.Dict([None] * len(loose), loose), run)
        needed = gast.Tuple([constant(p) for p in left if p not in taken.defaults], gast.Load())
        allowed = constant(None) if taken.named else gast.Tuple([constant(p) for p in left], gast.Load())
        run.append(gast.Expr(gast.Call(self.given(check_keywords), [clone(held), needed, allowed], [])))
        keywords += [gast.keyword(p, self._from_dict(node, held, p, taken)) for p in left]
        if taken.named:
            keywords.append(gast.keyword(None, self._others(held, left, keywords, taken, run)))
        return keywords

    def _from_dict(self, node: gast.Call, held: gast.expr, word: str, taken: Taken) -> gast.expr:
        item = gast.Subscript(clone(held), constant(word), gast.Load())
        if word not in taken.defaults:
            return item
        default = taken.defaults[word]
        if default is UNTOLD:
            self._untold(node, f"The dict has no known keys, and the default of `{word}` is made elsewhere.")
            return item
        if isinstance(default, dataclasses.Field):
            default = self.interpreter.construction.made(default)
        else:
            default = clone(default) if isinstance(default, gast.AST) else self.given(default)
        return gast.IfExp(expression("w in d", w=constant(word), d=clone(held)), item, default)

    def _others(
        self, held: gast.expr, left: list[str], keywords: list[gast.keyword], taken: Taken, run: list[Any]
    ) -> gast.expr:
        """What is left for `**options`: all of it in one dict, under a name."""
        own = [k for k in keywords if k.arg not in (*taken.positional, *taken.keywords)]
        for k in own:
            keywords.remove(k)
        key, item = self.fresh("key"), self.fresh("item")
        target = gast.Tuple([name(key, store=True), name(item, store=True)], gast.Store())
        over = gast.Call(gast.Attribute(clone(held), "items", gast.Load()), [], [])
        tests = [expression("k not in words", k=name(key), words=gast.Tuple([constant(p) for p in left], gast.Load()))]
        others: gast.expr = gast.DictComp(name(key), name(item), [gast.comprehension(target, over, tests if left else [], False)])
        if own:
            others = gast.Dict([*(constant(k.arg) for k in own), None], [*(k.value for k in own), others])
        return self._packed("others", others, run)

    def _packed(self, wish: str, made: gast.expr, run: list[Any]) -> gast.Name:
        """A container of our own that holds what a parameter like `*others` gets."""
        held = self.fresh(wish)
        self.code.packed.add(held)
        run.append(gast.NamedExpr(name(held, store=True), made))
        return name(held)
