"""What short ways of writing arrays mean in plainer functions of NumPy's.

np.sum([x, y])         →   np.sum(np.array([x, y]))
np.r_[u, x, 2.0]       →   np.hstack((u, x, 2.0))
np.array(u, copy=None) →   np.asarray(u)
np.array_split(u, 3)   →   split_evenly(u, 3), a function of frontend/equivalents.py
np.atleast_1d(x, y)    →   (np.atleast_1d(x), np.atleast_1d(y))
np.add.reduce(u, where=m)   →   np.sum(u, axis=0, where=m)
np.vecdot(a, b, axis=0)  →   np.vecdot(np.moveaxis(a, 0, -1), np.moveaxis(b, 0, -1))
sla.inv(a, overwrite_a=True)   →   sla.inv(a)
"""

import itertools
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import OPAQUE, Value, replace
from pullback.compiler.frontend import equivalents
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import clone, constant, expression, name
from pullback.compiler.ir.walk import every_node
from pullback.compiler.rules.language import Rule, rule_of
from pullback.compiler.rules.methods import KEYWORDS

MAKERS = (np.array, np.asarray, np.ascontiguousarray)
SPLITTERS: dict[str, Any] = {"array_split": equivalents.split_evenly, "unstack": equivalents.unstacked}
ONE_BY_ONE = (np.atleast_1d, np.atleast_2d, np.atleast_3d)
REDUCTIONS = {np.add.reduce: np.sum, np.multiply.reduce: np.prod, np.maximum.reduce: np.max, np.minimum.reduce: np.min}
VECTORWISE = (np.vecdot, np.linalg.vecdot)
THEMSELVES: dict[Any, tuple[str, int]] = {  # for so many times they return what they are given
    **{np.diff: ("n", 0), np.linalg.matrix_power: ("n", 1), np.polyder: ("m", 0), np.polyint: ("m", 0)},
}


class Shorthands(Part):
    """Calls and items that mean simpler ones, on arrays."""

    def meaning_of_call(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        if thing is np.piecewise:
            return self._pieces(node, env)
        rule = rule_of(thing)
        if thing in MAKERS and rule is not None and (moved := self._by_position(rule, node)):
            return self.meant(node, lambda: moved, env, "by position")
        if thing is np.array and any(k.arg == "copy" and _is_off(k.value) for k in node.keywords):
            rest = [k for k in node.keywords if k.arg not in ("copy", "subok")]
            return self.meant(node, lambda: gast.Call(expression("np.asarray"), node.args, rest), env)
        library = (getattr(thing, "__module__", None) or "numpy").startswith(("numpy", "scipy"))
        if library and any((k.arg or "").startswith("overwrite_") for k in node.keywords):
            return self._overwriting(thing, node, env)
        if rule is None or thing in MAKERS or not library:
            return self.interpreter.meanings.meaning_of_call(thing, node, env)
        if any(isinstance(a, gast.Starred) for a in node.args) or rule.form == "constant":
            return None
        positional, keywords = self.arguments(node, env)
        active = any(self.varied(v) for v in [*positional, *keywords.values()])
        if (active or rule.view) and (moved := self._by_position(rule, node)):
            return self.meant(node, lambda: moved, env, "by position")
        if thing is np.lib.stride_tricks.sliding_window_view and active and "writeable" in keywords:
            self.refuse(
                node,
                "windows",
                "cannot follow windows that may be written to",
                "Each entry stands in several of them, so that their adjoints overlap.",
                "leave `writeable` out, and write to the array itself",
            )
        if thing in THEMSELVES:
            return self._itself(*THEMSELVES[thing], node, positional, keywords, env)
        if not active:
            return None
        listed = bool(positional) and positional[0].kind in ("list", "tuple")
        if thing in ONE_BY_ONE and len(node.args) > 1:
            each: list[gast.expr] = [gast.Call(node.func, [a], []) for a in node.args]
            return self.meant(node, lambda: gast.Tuple(each, gast.Load()), env, len(each))
        if thing in VECTORWISE and "axis" in keywords and len(node.args) == 2:
            return self.meant(node, lambda: self._vectorwise(node), env)
        if thing in REDUCTIONS and keywords.keys() & {"initial", "where"} and len(node.args) <= 2:
            given = [] if len(node.args) == 2 or "axis" in keywords else [gast.keyword("axis", constant(0))]
            whole = REDUCTIONS[thing]
            return self.meant(node, lambda: gast.Call(self.given(whole), node.args, [*given, *node.keywords]), env)
        if rule.name in SPLITTERS and not listed and all(v.kind == "int" for v in [*positional[1:], *keywords.values()]):
            return self.meant(node, lambda: self._split(SPLITTERS[rule.name], node), env)
        return self.with_arrays(rule, node, positional, keywords, env)

    def _overwriting(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """A call that may use the memory of its operands: derivatives read them; inert ones hold anything then."""
        positional, keywords = self.arguments(node, env)
        values = [*positional, *keywords.values()]
        if any(self.varied(v) for v in values):
            kept = [k for k in node.keywords if not (k.arg or "").startswith("overwrite_")]
            return self.meant(node, lambda: gast.Call(node.func, node.args, kept), env, "kept")
        for value in values:
            self.interpreter.writing.writes_to(value, False, node)
        return self.interpreter.meanings.meaning_of_call(thing, node, env)

    def _vectorwise(self, node: gast.Call) -> gast.expr:
        axis = next(k.value for k in node.keywords if k.arg == "axis")

        def build(along: str) -> gast.expr:
            moved: list[gast.expr] = [gast.Call(expression("np.moveaxis"), [a, name(along), constant(-1)], []) for a in node.args]
            return gast.Call(node.func, moved, [k for k in node.keywords if k.arg != "axis"])

        return self.let([axis], build, "axis")

    def _itself(self, word: str, times: int, node: gast.Call, positional: list[Value], keywords: Any, env: Env) -> Value | None:
        """np.diff(x, 0) and np.linalg.matrix_power(m, 1) are no copies."""
        count = positional[1] if len(positional) > 1 else keywords.get(word)
        if count is None or count.known is not None and count.known.value != times:
            return None
        if count.known is not None:
            return self.meant(node, lambda: node.args[0], env, "itself")
        if hasattr(node, "repeated"):
            return None
        texts = [*node.args, *(k.value for k in node.keywords)]
        place = 1 if len(positional) > 1 else len(positional) + list(keywords).index(word)

        def build(*held: str) -> gast.expr:
            given: list[gast.expr] = [name(h) for h in held]
            words = [gast.keyword(k.arg, t) for k, t in zip(node.keywords, given[len(node.args) :])]
            again = gast.Call(node.func, given[: len(node.args)], words)
            again.repeated = True
            return gast.IfExp(expression(f"{held[place]} == {times}"), given[0], again)

        return self.meant(node, lambda: self.let(texts, build), env, "perhaps itself")

    def _by_position(self, rule: Rule, node: gast.Call) -> gast.expr | None:
        """np.transpose(axes=p, a=x) → np.transpose(x, p): an operand that is named stands where rules look for it."""
        named = KEYWORDS.get(rule.name, {})
        given = {named.get(k.arg, k.arg): k.value for k in node.keywords}
        first = len(node.args)
        order = list(itertools.takewhile(lambda p: p in given, rule.text.parameters[first : rule.text.positional]))
        if not any(_is_operand(rule, p) or not first for p in order):
            return None
        left = [k for k in node.keywords if named.get(k.arg, k.arg) not in order]
        values = [k.value for k in node.keywords if k not in left]
        words = [named.get(k.arg, k.arg) for k in node.keywords if k not in left]
        if words == order:
            return gast.Call(node.func, [*node.args, *values], left)

        def build(*held: str) -> gast.expr:
            passed = dict(zip(words, held))
            return gast.Call(node.func, [*node.args, *(name(passed[p]) for p in order)], left)

        return self.let(values, build)

    def with_arrays(
        self, rule: Rule, node: gast.Call, positional: list[Value], keywords: dict[str, Value], env: Env, taken: int = 0
    ) -> Value | None:
        """With arrays for the lists that stand for one, and for those among several operands.

        `taken`: how many parameters are no argument, as the array is whose method is called.
        """
        if any(isinstance(a, gast.Starred) for a in node.args):
            return None
        named = KEYWORDS.get(rule.name, {})
        texts = [*node.args, *(k.value for k in node.keywords)]
        parameters = [*rule.text.parameters[taken : taken + len(positional)]]
        parameters += [""] * (len(positional) - len(parameters)) + [named.get(k, k) for k in keywords]
        made: list[tuple[str, gast.expr]] = []
        for parameter, text, value in zip(parameters, texts, [*positional, *keywords.values()]):
            several = takes_several(rule, parameter)
            array = _is_operand(rule, parameter) or self.varied(value) and _is_read(rule, parameter)
            one = value.kind in ("list", "tuple") and array and not several
            made.append(("one" if one else "each" if several and self._holds_lists(text, value) else "", text))
        if not any(way for way, _ in made):
            return None
        return self.meant(node, lambda: self._converted(node, made), env)

    def _holds_lists(self, text: gast.expr, value: Value) -> bool:
        """Is an active operand among several a list?"""
        if isinstance(text, (gast.List, gast.Tuple)) and not any(isinstance(e, gast.Starred) for e in text.elts):
            return any(self._is_list(self.facts.types[e]) for e in text.elts)
        return value.kind in ("list", "tuple") and self._is_list(self.element(value, None))

    def _converted(self, node: gast.Call, made: list[tuple[str, gast.expr]]) -> gast.Call:
        texts = [_as_array(t) if way == "one" else self._each_as_array(t) if way == "each" else t for way, t in made]
        words = [gast.keyword(k.arg, t) for k, t in zip(node.keywords, texts[len(node.args) :])]
        return gast.Call(node.func, texts[: len(node.args)], words)

    def _each_as_array(self, several: gast.expr) -> gast.expr:
        if isinstance(several, (gast.List, gast.Tuple)) and not any(isinstance(e, gast.Starred) for e in several.elts):
            parts = [_as_array(e) if self.facts.types[e].kind in ("list", "tuple") else e for e in several.elts]
            return type(several)(parts, gast.Load())
        part = self.fresh("part")
        return gast.ListComp(_as_array(name(part)), [gast.comprehension(name(part, store=True), several, [], False)])

    def _pieces(self, node: gast.Call, env: Env) -> Value | None:
        """np.piecewise(x, [c], [f, g]) → y = np.zeros_like(x); y[c] = f(x[c]); y[~c] = g(x[~c])."""
        positional, keywords = self.arguments(node, env)
        displays = [a for a in node.args[1:] if isinstance(a, (gast.List, gast.Tuple))]
        if keywords or len(node.args) < 3 or len(displays) < 2 or not positional[0].numeric:
            return None
        source, conditions, pieces, *more = node.args
        if positional[0].kind != "array":  # a number is an array without dimension
            source = gast.Call(expression("np.asarray"), [source], [])
        masks: list[gast.expr] = [
            c if self.facts.types[c].kind == "array" else gast.Call(expression("np.asarray"), [c], []) for c in displays[0].elts
        ]
        conditions = gast.List(masks, gast.Load())
        return self.meant(node, lambda: self._assembled(source, conditions, pieces, more), env, positional[0].kind)

    def _assembled(self, source: gast.expr, conditions: Any, pieces: Any, more: list[gast.expr]) -> gast.expr:
        x, y = self.fresh("x"), self.fresh("pieces")
        masks = [self.fresh("mask") for _ in conditions.elts]
        run: list[Any] = [gast.NamedExpr(name(x, store=True), source)]
        run += [gast.NamedExpr(name(m, store=True), c) for m, c in zip(masks, conditions.elts)]
        if len(pieces.elts) > len(masks):
            masks.append(self.fresh("rest"))
            run.append(gast.NamedExpr(name(masks[-1], store=True), expression(f"~({' | '.join(masks[:-1])})")))
        run.append(gast.NamedExpr(name(y, store=True), expression(f"np.zeros_like({x})")))
        for mask, piece in zip(masks, pieces.elts):
            constant_piece = self.facts.types[piece].numeric
            value = piece if constant_piece else gast.Call(piece, [expression(f"{x}[{mask}]"), *map(clone, more)], [])
            target = expression(f"{y}[{mask}]")
            target.ctx = gast.Store()  # type: ignore[attr-defined]
            run.append(gast.Assign([target], value, None))
        return Let(run, name(y))

    def _split(self, text: Any, node: gast.Call) -> gast.expr:
        """The parts of an array along its first axis, or along one that is moved there and back."""
        source, *rest = node.args
        axis = rest.pop() if len(rest) > 1 else next((k.value for k in node.keywords if k.arg == "axis"), constant(0))
        rest += [k.value for k in node.keywords if k.arg == "indices_or_sections"]
        if isinstance(axis, gast.Constant) and axis.value == 0:
            return gast.Call(self.given(text), [source, *rest], [])
        moved = gast.Call(expression("np.moveaxis"), [source, axis, constant(0)], [])
        parts = gast.Call(self.given(text), [moved, *rest], [])
        if text is equivalents.unstacked:
            return parts
        part = self.fresh("part")
        back = gast.Call(expression("np.moveaxis"), [name(part), constant(0), clone(axis)], [])
        return gast.ListComp(back, [gast.comprehension(name(part, store=True), parts, [], False)])

    def _is_list(self, value: Value) -> bool:
        return value.kind in ("list", "tuple") and self.varied(value)

    def meaning_of_item(self, base: Value, node: gast.Subscript, env: Env) -> Value | None:
        thing = base.known.value if base.known is not None else None
        if thing is not np.r_ and thing is not np.c_:
            return self.interpreter.protocols.meaning_of_item(base, node, env)
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        values = [self.facts.types[p] for p in parts]
        function = _joining(thing, parts, [self._rank(v) for v in values])
        if function is not None:
            made = [_as_array(p) if v.kind in ("list", "tuple") else p for p, v in zip(parts, values)]
            return self.meant(node, lambda: gast.Call(function, [gast.Tuple(made, gast.Load())], []), env)
        if any(self.varied(v) for v in values):
            self.refuse(
                node,
                "joined",
                "cannot follow what is joined here",
                "It holds a slice, a string, or a part of a rank that is not known.",
                "join the parts with `np.concatenate`, `np.hstack` or `np.column_stack`",
            )
        return replace(OPAQUE, varied=any(self.varied(v) for v in values))

    def _rank(self, value: Value) -> int | None:
        if value.kind in ("list", "tuple"):
            items = self.known_items(value) or [self.element(value, None)]
            inner = self._rank(items[0])
            return None if inner is None else inner + 1
        return value.rank


def _joining(thing: Any, parts: list[gast.expr], ranks: list[int | None]) -> gast.expr | None:
    """The function that joins parts of these ranks as np.r_ or np.c_ does."""
    known = [r for r in ranks if r is not None]
    if any(isinstance(p, (gast.Slice, gast.Starred)) for p in parts) or len(known) < len(ranks):
        return None
    if thing is np.c_:
        return expression("np.column_stack") if max(known) <= 2 else None
    if max(known) <= 1:
        return expression("np.hstack")
    return expression("np.concatenate") if min(known) >= 1 else None


def takes_several(rule: Rule, parameter: str) -> bool:
    """Is an argument of the primitive a sequence of operands, and not one array?"""
    bar = f"{parameter}_bar"
    added = [n.target for s in rule.text.adjoint for n in every_node(s) if isinstance(n, gast.AugAssign)]
    return any(isinstance(t, gast.Subscript) and isinstance(t.value, gast.Name) and t.value.id == bar for t in added)


def _is_off(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and not node.value


def _is_read(rule: Rule, parameter: str) -> bool:
    """Is it an argument of the function's, and not where it writes its results?"""
    return parameter in (*rule.text.parameters, *rule.text.keywords) or not parameter and rule.text.vararg is not None


def _is_operand(rule: Rule, parameter: str) -> bool:
    """Is it an array that the derivative depends on?"""
    return parameter in (rule.text.parameters if rule.form == "elementwise" else rule.text.differentiable)


def _as_array(node: gast.expr) -> gast.Call:
    return gast.Call(expression("np.array"), [node], [])
