"""Calls that write into their arguments become assignments.

np.add(a, b, c)        →   c[...] = np.add(a, b)
np.add.at(y, i, v)     →   y[...] += scattered(y, i, v)
x.sort()               →   x[...] = np.sort(x)
"""

from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.values import FLAT, Value
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import call, clone, constant, loaded, name, stored, substituted
from pullback.compiler.ir.walk import every_node
from pullback.compiler.normalise.context import Part
from pullback.compiler.normalise.targets import simple_index
from pullback.compiler.rules.methods import ATTRIBUTES
from pullback.compiler.rules.writing import IN_ORDER, Writer, split_out, writer_of


class WriteCalls(Part):
    """The part of the flattener that deals with functions that write."""

    def writes(self, node: gast.Call) -> bool:
        """Does the call of a primitive write into an active array?"""
        if node not in self.facts.resolved or node in self.facts.calls:  # a user's function means its own by `out`
            return False
        if writer_of(self.facts.resolved[node]) is not None:
            positional, keywords = self._given(node)
            every = [*positional, *keywords.values()]
            if every and self.type_of(every[0]).kind == "array" and not self.type_of(every[0]).smooth:
                return False  # of integers: NumPy rounds, or raises
            return any(self.active(a) for a in every)
        return any(self.active(place) for place in self._without_out(node)[1])

    def written(self, node: gast.Call, out: list[gast.stmt]) -> gast.expr:
        """The call as assignments, which are added to `out`; returns what stands for its value."""
        function = self.facts.resolved[node]
        writer = writer_of(function)
        if writer is not None:
            node.args = [self.as_array(a) for a in node.args]
        pair = self._read_in_order(node)
        shared = pair is not None and self._may_share(*pair)
        new = self.flattener.operands.with_arguments(node, out)
        self.facts.resolved[new] = function
        if isinstance(node.func, gast.Attribute):
            self.facts.types.setdefault(new.func.value, self.type_of(node.func.value))
            if isinstance(new.func.value, gast.Subscript) and not self.is_place(new.func.value):  # np.split(b, 2)[0].clip(...)
                new.func.value = self.variable_for(self.flattener.named(new.func.value, out).id, node.func.value)
        if shared:
            out += [_kept_apart(*pair, node) for pair in [self._read_in_order(new)] if pair is not None]
        return self._as_its_text(writer, new, out) if writer is not None else self._into_out(new, out)

    def _read_in_order(self, node: gast.Call) -> tuple[gast.expr, gast.expr] | None:
        """What a function writes, and what it reads entry by entry as it does."""
        function = self.facts.resolved[node]
        writer = writer_of(function)
        if writer is not None:
            given = writer.bind(*self._given(node)) or {}
            return (next(iter(given.values())), given[writer.in_order]) if writer.in_order in given else None
        value, places = self._without_out(node)
        return (places[0], value.args[0]) if function in IN_ORDER and value.args else None

    def as_array(self, node: gast.expr) -> gast.expr:
        """A list of active values that is about to be written into an array is one."""
        if self.type_of(node).kind not in ("list", "tuple") or not self.active(node):
            return node
        made = self._primitive(np.array, [node], node)
        self.facts.types[made] = Value("number", varied=True)
        return made

    def _given(self, node: gast.Call) -> tuple[list[gast.expr], dict[str, gast.expr]]:
        """The arguments of a function, or of the function that a method is."""
        method = isinstance(node.func, gast.Attribute) and self.type_of(node.func.value).numeric
        base = [node.func.value] if method else []  # type: ignore[attr-defined]
        return [*base, *node.args], {k.arg or "**": k.value for k in node.keywords}

    # -- functions that change their first argument ---------------------------------------------------

    def _as_its_text(self, writer: Writer, node: gast.Call, out: list[gast.stmt]) -> gast.expr:
        """np.putmask(x, m, v) → x[...] = np.where(m, v, x)."""
        given = writer.bind(*self._given(node))
        if given is None:  # Python raises
            out.append(gast.Expr(node))
            return constant(None)
        text = writer.text(given)
        base = next(iter(given))
        for parameter, argument in given.items():
            times = sum(isinstance(n, gast.Name) and n.id == parameter for s in text for n in every_node(s))
            if parameter == base:
                given[parameter] = self._memory(argument, out, whole=all(_is_whole(_target(s)) for s in text))
            elif times > 1 and not isinstance(argument, gast.Constant):
                given[parameter] = self.flattener.named(argument, out)
        for s, template in zip(substituted(text, given), text):
            if not _is_whole(_target(template)):
                out += self.flattener.assignments.do_Assign(s, out)
            elif isinstance(s, gast.AugAssign):
                out.append(gast.AugAssign(self._whole(given[base]), s.op, s.value))
            else:
                out.append(gast.Assign([self._whole(given[base])], s.value, None))  # type: ignore[attr-defined]
        return constant(None)

    def _memory(self, node: gast.expr, out: list[gast.stmt], whole: bool = True) -> gast.expr:
        """What is written to, as a variable or (of one that is written as a whole) a part of one that is its memory."""
        if isinstance(node, gast.Name):
            return node
        if isinstance(node, gast.Subscript) and self.type_of(node.value).numeric:
            place = whole and bool(self.type_of(node).sites & self.type_of(node.value).sites)
        else:
            place = True
        return node if place and self.is_place(node) else self.flattener.named(node, out)

    def _whole(self, place: gast.expr) -> gast.expr:
        """All of an array as the target of an assignment."""
        if isinstance(place, gast.Subscript) and self.type_of(place.value).numeric and self.type_of(place).dims:
            return stored(place)
        return gast.Subscript(clone(place), constant(Ellipsis), gast.Store())

    # -- parts of arrays by attributes ----------------------------------------------------------------

    def filled(self, target: Any, value: gast.expr, out: list[gast.stmt]) -> tuple[Any, gast.expr]:
        """z.real = e → z.real[...] = e; v.flat[i:] = e → v.flat[i:] = e again and again; u[:2] = [x, y] → an array."""
        if not isinstance(target, (gast.Subscript, gast.Attribute)) or not self.type_of(target.value).numeric:
            return target, value
        value = self.as_array(value)
        if isinstance(target, gast.Attribute):
            whole = self.whole_of(target)
            return (target, value) if whole is target else self.filled(whole, value, out)
        flat = self.type_of(target.value).code == FLAT
        if flat and self.type_of(value).rank != 0:
            shared = self._may_share(target.value, value)
            target = gast.Subscript(self.flattener.named(target.value, out), target.slice, gast.Store())
            target = target if simple_index(target) else self.flattener.targets.settled_target(target, out)
            if shared:
                value = self.flattener.named(value, out)
                out.append(_kept_apart(target.value, value, value))
            value = call("repeated", value, call("np.shape", loaded(target)))
        return target, value

    def _may_share(self, a: gast.expr, b: gast.expr) -> bool:
        """May two expressions, as the user wrote them, reach the same memory?"""
        return bool(self.program.reached(self.type_of(a)) & self.program.reached(self.type_of(b)))

    def whole_of(self, target: Any) -> Any:
        """z.real → z.real[...]"""
        numeric = isinstance(target, gast.Attribute) and self.type_of(target.value).numeric
        if not numeric or target.attr not in ATTRIBUTES:
            return target
        part = gast.Attribute(target.value, target.attr, gast.Load())
        code, sites = FLAT if target.attr == FLAT else None, self.type_of(target.value).sites
        self.facts.types[part] = Value("number", code=code, sites=sites, varied=True)
        return gast.Subscript(part, constant(Ellipsis), gast.Store())

    def of_flat(self, node: gast.AST) -> bool:
        """Is this something of x.flat that an iterator over entries does not do?"""
        if isinstance(node, gast.Call):
            return self.active(node) and any(self._is_flat(a) for a in node.args)
        return isinstance(node, gast.Subscript) and self._is_flat(node.value) and self._counted(node)

    def _is_flat(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Attribute) and self.type_of(node).code == FLAT and self.active(node)

    def _counted(self, node: gast.Subscript) -> bool:
        """Is the index an array?"""
        return not isinstance(node.slice, gast.Slice) and self.type_of(node.slice).kind in ("array", "list")

    def without_flat(self, node: Any) -> gast.expr:
        """m.flat[[0, 2]] → np.take(m, [0, 2]); np.sum(m.flat) → np.sum(np.ravel(m))."""
        if isinstance(node, gast.Subscript):
            masked = self.type_of(node.slice).dtype == "bool"
            arguments = [node.slice, node.value.value] if masked else [node.value.value, node.slice]  # type: ignore[attr-defined]
            return self._primitive(np.compress if masked else np.take, arguments, node)
        node.args = [self._primitive(np.ravel, [a.value], a) if self._is_flat(a) else a for a in node.args]
        return node

    def _primitive(self, function: Any, arguments: list[gast.expr], old: gast.expr) -> gast.Call:
        """A call of NumPy's in the place of an expression."""
        new = call(f"np.{function.__name__}", *arguments)
        self.facts.types[new], self.facts.resolved[new] = self.type_of(old), function
        return gast.copy_location(new, old)

    # -- functions told where to write ----------------------------------------------------------------

    def _without_out(self, node: gast.Call) -> tuple[gast.Call, list[gast.expr]]:
        """The call without the arrays that it writes its results to; and these, with None for one that is made."""
        positional, keywords = self._given(node)
        method = len(positional) > len(node.args)
        positional, keywords, places = split_out(self.facts.resolved[node], positional, keywords)
        given = [gast.keyword(None if k == "**" else k, v) for k, v in keywords.items()]
        if len(places) == 1 and self.type_of(places[0]).kind == "tuple":
            places = self._parts(places[0])
        return gast.Call(node.func, positional[1:] if method else positional, given), places

    def _parts(self, node: gast.expr) -> list[gast.expr]:
        if isinstance(node, gast.Tuple):
            return node.elts
        parts: list[gast.expr] = []
        for i, value in enumerate(self.type_of(node).items or ()):
            parts.append(gast.Subscript(clone(node), constant(i), gast.Load()))
            self.facts.types[parts[-1]], self.facts.types[parts[-1].value] = value, self.type_of(node)
        return parts

    def _into_out(self, node: gast.Call, out: list[gast.stmt]) -> gast.expr:
        """np.add(a, b, c) → c[...] = np.add(a, b); np.modf(a, b, c) → fraction, whole = np.modf(a); b[...] = fraction ..."""
        value, given = self._without_out(node)
        places = [None if _is_none(p) else self._memory(p, out) for p in given]
        mask = self._mask(node, value, out)
        results: list[gast.expr] = [value]
        if len(places) > 1:
            held = [self.names.fresh(f"{described(value)}_{i}") for i in range(len(places))]
            out.append(gast.Assign([gast.Tuple([name(h, store=True) for h in held], gast.Store())], value, None))
            results = [name(h) for h in held]
        for place, result in zip(places, results):
            if place is not None:
                chosen = result if mask is None else call("np.where", clone(mask), result, clone(place))
                out.append(gast.Assign([self._whole(place)], chosen, None))
        stand = [clone(p) if p is not None else r for p, r in zip(places, results)]
        return stand[0] if len(stand) == 1 else gast.Tuple(stand, gast.Load())

    def _mask(self, node: gast.Call, value: gast.Call, out: list[gast.stmt]) -> gast.expr | None:
        """`where` of a ufunc: the entries that it computes. What the value has elsewhere is not read: `out=None`."""
        given = [k for k in value.keywords if k.arg == "where"]
        if not given or not isinstance(self.facts.resolved[node], np.ufunc):
            return None
        value.keywords = [k for k in value.keywords if k.arg != "where"]
        if isinstance(given[0].value, gast.Constant) and given[0].value.value is True:
            return None
        mask = self.flattener.named(given[0].value, out)
        value.keywords += [gast.keyword("out", constant(None)), gast.keyword("where", mask)]
        return mask


def _kept_apart(written: gast.expr, read: gast.expr, place: gast.expr) -> gast.stmt:
    """NumPy reads the second entry by entry as it writes the first: checked to be other memory when it runs."""
    return gast.copy_location(gast.Expr(call("refuse_overlap", clone(written), clone(read))), place)


def _target(s: Any) -> gast.Subscript:
    return s.target if isinstance(s, gast.AugAssign) else s.targets[0]


def _is_whole(target: gast.Subscript) -> bool:
    return isinstance(target.slice, gast.Constant) and target.slice.value is Ellipsis


def _is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None
