"""`match` becomes if and elif, tests and bindings in Python's order.

    match shape:                       if is_sequence(shape) and len(shape) == 2 and shape[0] == "circle":
        case ["circle", r]:        →       r = shape[1]
            area = 3.0 * r * r             area = 3.0 * r * r
        case _:                        else:
            area = 0.0                     area = 0.0

Names are bound once the whole pattern fits, before its guard is asked. A class pattern with positional
parts needs the class's `__match_args__`: where the class cannot be looked up, the statement stays.
"""

import dataclasses
import itertools
from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import assign, clone, constant, expression, name
from pullback.compiler.ir.walk import assigned, every_node, reads

MATCH_SELF = 1 << 22  # of a type's flags: `float(x)` binds x to the subject itself
LookUp = Callable[[str], Any]


@dataclasses.dataclass(frozen=True)
class Way:
    """One way in which a pattern fits: all tests hold, then the names are bound."""

    tests: tuple[gast.expr, ...] = ()
    bindings: tuple[tuple[str, gast.expr], ...] = ()
    without: tuple[tuple[str, gast.expr], ...] = ()  # keys that a dict so bound has no more: (name, key)

    def then(self, other: "Way") -> "Way":
        return Way(self.tests + other.tests, self.bindings + other.bindings, self.without + other.without)


Ways = list[Way]


class Unsettled(Exception):
    """What a pattern means cannot be told from the text."""


def without_match(function: gast.FunctionDef, names: Names, look_up: LookUp) -> None:
    """Write every `match` of the function, and of those inside it, with if and elif; in place."""
    _Matching(names, look_up).visit(function)


class _Matching(gast.NodeTransformer):
    def __init__(self, names: Names, look_up: LookUp) -> None:
        self.names = names
        self.look_up = look_up

    def visit_Match(self, s: gast.Match) -> Any:
        self.generic_visit(s)
        try:
            return self._chosen(s)
        except Unsettled:
            return s

    def _chosen(self, s: gast.Match) -> list[gast.stmt]:
        before: list[gast.stmt] = []
        subject = self._subject(s, before)
        rest: list[gast.stmt] = []
        for case in reversed(s.cases):
            rest = self._case(case, subject, rest)
            _place(rest, case.pattern)
        _place(before, s)
        return [*before, *rest]

    # -- the subject --------------------------------------------------------------------------

    def _subject(self, s: gast.Match, before: list[gast.stmt]) -> gast.expr:
        """What the patterns look at, evaluated once: `match x, y` looks at x and at y."""
        rebound = {n for c in s.cases for n in assigned(c.pattern)}
        rebound |= {n for c in s.cases if c.guard is not None for n in assigned(c.guard)}
        calls = any(isinstance(n, gast.Call) for c in s.cases if c.guard is not None for n in every_node(c.guard))
        kept = any(c.guard is not None for c in s.cases)

        def held(node: gast.expr) -> gast.expr:
            lasting = isinstance(node, gast.Name) and not (calls or kept and node.id in rebound)
            if lasting or isinstance(node, gast.Constant):
                return node
            new = self.names.fresh("subject")
            before.append(assign(new, node))
            return name(new)

        apart = isinstance(s.subject, gast.Tuple) and not any(isinstance(e, gast.Starred) for e in s.subject.elts)
        if not apart:
            return held(s.subject)
        return gast.Tuple([held(e) for e in s.subject.elts], gast.Load())

    # -- cases --------------------------------------------------------------------------------

    def _case(self, case: Any, subject: gast.expr, rest: list[gast.stmt]) -> list[gast.stmt]:
        ways = self.ways(case.pattern, subject)
        guard = case.guard
        if not ways:
            return rest
        if len(ways) != 1 or guard is not None and ways[0].tests and ways[0].bindings:
            return self._flagged(ways, guard, case.body, rest)
        [way] = ways
        bound = self._bound(way)
        if guard is not None and not way.tests:
            return [*bound, gast.If(guard, case.body, rest)]
        tests = [*way.tests, *([guard] if guard is not None else [])]
        return [gast.If(_all(tests), [*bound, *case.body], rest)] if tests else [*bound, *case.body]

    def _flagged(
        self, ways: Ways, guard: gast.expr | None, body: list[gast.stmt], rest: list[gast.stmt]
    ) -> list[gast.stmt]:
        """A guard reads what the pattern binds, or there are several ways to bind: a flag says if the case is taken."""
        flag = self.names.fresh("taken")
        chosen: list[gast.stmt] = [assign(flag, constant(False))]
        for way in reversed(ways):
            taken = assign(flag, clone(guard) if guard is not None else constant(True))
            inner = [*self._bound(way), taken]
            chosen = [gast.If(_all(way.tests), inner, chosen)] if way.tests else inner
        return [*chosen, gast.If(name(flag), body, rest)]

    def _bound(self, way: Way) -> list[gast.stmt]:
        """The bindings one by one, or all at once where one reads what another overwrites."""
        bound: set[str] = set()
        direct = True
        for word, value in way.bindings:
            direct = direct and not reads(value) & bound
            bound.add(word)
        less = [gast.Delete([gast.Subscript(name(n), clone(key), gast.Del())]) for n, key in way.without]
        if direct:
            return [assign(n, clone(v)) for n, v in way.bindings if not (isinstance(v, gast.Name) and v.id == n)] + less
        targets = gast.Tuple([name(n, store=True) for n, _ in way.bindings], gast.Store())
        return [gast.Assign([targets], gast.Tuple([clone(v) for _, v in way.bindings], gast.Load()), None), *less]

    # -- patterns -----------------------------------------------------------------------------

    def ways(self, pattern: Any, subject: gast.expr) -> Ways:
        """The ways in which a pattern fits; several only where alternatives bind names."""
        found: Ways = getattr(self, f"_of_{type(pattern).__name__}")(pattern, subject)
        return found

    def _in_turn(self, first: Ways, *parts: Ways) -> Ways:
        """Every part fits: no part reads what another one binds, so alternatives may be tried as wholes."""
        found = []
        for chosen in itertools.product(first, *parts):
            whole = Way()
            for way in chosen:
                whole = whole.then(way)
            found.append(whole)
        return found

    def _of_MatchValue(self, p: gast.MatchValue, subject: gast.expr) -> Ways:
        return [Way((gast.Compare(clone(subject), [gast.Eq()], [clone(p.value)]),))]

    def _of_MatchSingleton(self, p: gast.MatchSingleton, subject: gast.expr) -> Ways:
        return [Way((gast.Compare(clone(subject), [gast.Is()], [constant(p.value)]),))]

    def _of_MatchAs(self, p: gast.MatchAs, subject: gast.expr) -> Ways:
        inner = self.ways(p.pattern, subject) if p.pattern is not None else [Way()]
        return self._in_turn(inner, [Way((), ((p.name, subject),))]) if p.name else inner

    def _of_MatchOr(self, p: gast.MatchOr, subject: gast.expr) -> Ways:
        ways = [way for part in p.patterns for way in self.ways(part, subject)]
        if any(way.bindings for way in ways):
            return ways
        if not all(way.tests for way in ways):
            return [Way()]
        tests = [_all(way.tests) for way in ways]
        return [Way((tests[0] if len(tests) == 1 else gast.BoolOp(gast.Or(), tests),))] if tests else []

    def _of_MatchSequence(self, p: gast.MatchSequence, subject: gast.expr) -> Ways:
        stars = [i for i, part in enumerate(p.patterns) if isinstance(part, gast.MatchStar)]
        behind = len(p.patterns) - stars[0] - 1 if stars else 0
        fewest = len(p.patterns) - len(stars)
        if isinstance(subject, gast.Tuple) and not _fits(len(subject.elts), fewest, bool(stars)):
            return []
        parts: list[Ways] = []
        for i, part in enumerate(p.patterns):
            if isinstance(part, gast.MatchStar):
                parts.append(self._rest(part, subject, i, behind))
            else:
                parts.append(self.ways(part, _item(subject, i if not stars or i < stars[0] else i - len(p.patterns))))
        return self._in_turn([Way(self._length_tests(subject, fewest, bool(stars)))], *parts)

    def _length_tests(self, subject: gast.expr, fewest: int, more: bool) -> tuple[gast.expr, ...]:
        if isinstance(subject, gast.Tuple):
            return ()
        sequence = expression("is_sequence(s)", s=subject)
        if more and not fewest:
            return (sequence,)
        return (sequence, expression(f"len(s) {'>=' if more else '=='} {fewest}", s=subject))

    def _rest(self, star: gast.MatchStar, subject: gast.expr, first: int, behind: int) -> Ways:
        """`*rest`: a list of what the others leave."""
        if not star.name:
            return [Way()]
        if isinstance(subject, gast.Tuple):
            taken = subject.elts[first : len(subject.elts) - behind]
            return [Way((), ((star.name, gast.List(clone(taken), gast.Load())),))]
        i = self.names.fresh("i")
        end = f"len(s) - {behind}" if behind else "len(s)"
        return [Way((), ((star.name, expression(f"[s[{i}] for {i} in range({first}, {end})]", s=subject)),))]

    def _of_MatchMapping(self, p: gast.MatchMapping, subject: gast.expr) -> Ways:
        whole = Way((expression("is_mapping(s)", s=subject),))
        parts: list[Ways] = []
        for key, part in zip(p.keys, p.patterns):
            there = Way((gast.Compare(clone(key), [gast.In()], [clone(subject)]),))
            parts.append(self._in_turn([there], self.ways(part, _item(subject, key))))
        if p.rest is not None:
            rest = gast.Dict([None], [clone(subject)])
            parts.append([Way((), ((p.rest, rest),), tuple((p.rest, key) for key in p.keys))])
        return self._in_turn([whole], *parts)

    def _of_MatchClass(self, p: gast.MatchClass, subject: gast.expr) -> Ways:
        fits = Way((expression("isinstance(s, c)", s=subject, c=p.cls),))
        cls = self._looked_up(p.cls)
        if len(p.patterns) == 1 and _matches_self(cls):
            return self._in_turn([fits], self.ways(p.patterns[0], subject))
        words = [*self._positional(cls, len(p.patterns)), *p.kwd_attrs]
        there = [Way((expression(f"hasattr(s, {w!r})", s=subject),)) for w in words if not _has_field(cls, w)]
        parts = [
            self.ways(part, gast.Attribute(clone(subject), w, gast.Load()))
            for w, part in zip(words, [*p.patterns, *p.kwd_patterns])
        ]
        return self._in_turn([fits], *([way] for way in there), *parts)

    def _positional(self, cls: Any, count: int) -> list[str]:
        words = getattr(cls, "__match_args__", ())
        if count > len(words):
            raise Unsettled
        return list(words[:count])

    def _looked_up(self, node: gast.expr) -> Any:
        """The class that a name, or a name in a module, stands for; None if the text does not tell."""
        if isinstance(node, gast.Attribute):
            return getattr(self._looked_up(node.value), node.attr, None)
        return self.look_up(node.id)


def _matches_self(cls: Any) -> bool:
    return isinstance(cls, type) and not hasattr(cls, "__match_args__") and bool(cls.__flags__ & MATCH_SELF)


def _has_field(cls: Any, word: str) -> bool:
    """Has every instance the attribute?"""
    if not isinstance(cls, type):
        return False
    return dataclasses.is_dataclass(cls) and any(f.name == word for f in dataclasses.fields(cls)) or (
        issubclass(cls, tuple) and word in getattr(cls, "_fields", ())
    )


def _fits(length: int, fewest: int, more: bool) -> bool:
    return length >= fewest if more else length == fewest


def _place(body: list[gast.stmt], where: gast.AST) -> None:
    for node in (n for s in body for n in every_node(s)):
        if getattr(node, "lineno", None) is None:
            gast.copy_location(node, where)


def _all(tests: Any) -> gast.expr:
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), list(tests))


def _item(subject: gast.expr, key: Any) -> gast.expr:
    """An element of the subject; of a tuple written out, the element itself."""
    if isinstance(subject, gast.Tuple) and isinstance(key, int):
        return subject.elts[key]
    index = clone(key) if isinstance(key, gast.AST) else constant(key)
    return gast.Subscript(clone(subject), index, gast.Load())
