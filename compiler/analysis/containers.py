"""Abstract values of lists, tuples, dicts and what iterates over them."""

import builtins
import collections
import copy
import dataclasses
import functools
import itertools
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.protocols import class_of, method_of
from pullback.compiler.analysis.values import (
    BOOL,
    BOTTOM,
    INT,
    NONE,
    OPAQUE,
    SCALARS,
    Known,
    Linear,
    StandIn,
    Value,
    replace,
)
from pullback.compiler.frontend import equivalents, iterators
from pullback.compiler.frontend.code import is_equivalent
from pullback.compiler.ir.template import constant
from pullback.runtime.copies import refuse_held_twice
from pullback.runtime.functions import check_keywords, check_length, is_set
from pullback.runtime.shadows import zeros

FIRST: dict[Any, str] = {  # how a first argument may be passed by keyword
    enumerate: "iterable",
    copy.copy: "x",
    copy.deepcopy: "x",
    dataclasses.asdict: "obj",
    dataclasses.astuple: "obj",
    np.array: "object",
    np.asarray: "a",
    np.ascontiguousarray: "a",
}
GROWING = ("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "__setitem__", "__delitem__")


class Containers(Part):
    """The transfer function of containers."""

    def constant_key(self, base: Value, index: Value) -> Any:
        """The index, if it is a literal."""
        if index.known is None or not isinstance(index.known.value, (int, str)):
            return None
        key = index.known.value
        if base.kind == "list" and isinstance(key, int):
            items = self.known_items(base)
            if items is None or not -len(items) <= key < len(items):
                return None
            return key % len(items)
        return key

    def dict_item(self, base: Value, key: Any) -> Value:
        found = []
        for cell in self.program.cells(base):
            value = cell.content if key is None else cell.fields.get(key, cell.anywhere)
            if value is not None:
                found.append(value)
        return self.joined(found) if found else BOTTOM

    # -- methods ------------------------------------------------------------------------------

    def container_method(self, base: Value, name: str, node: gast.Call, env: Env) -> Value:
        positional, keywords = self.arguments(node, env)
        if isinstance(base.code, StandIn) and not is_equivalent(self.code) and not hasattr(node, "plain"):
            stood = self.interpreter.stand_ins.stand_in_method(base, name, node, env)
            if stood is not None:
                return stood
        if base.kind in ("list", "dict"):
            special = self.interpreter.called_operators.meaning_of_special_method(name, node, env)
            if special is not None:
                return special
        if name == "setdefault" and base.kind == "dict" and positional and not hasattr(node, "plain"):
            if self.varied(base) or any(self.varied(v) for v in positional) or self.made_active(node, "list"):
                return self.meant(node, lambda: self.interpreter.methods.set_and_read(node), env)
        chosen = base.kind == "dict" and name in ("get", "pop") and any(self.varied(v) for v in positional[1:])
        if self.varied(base) or chosen or name == "copy" and self.made_active(node, base.kind):
            meant = self.interpreter.methods.meaning_of_method(base, name, node, env)
            if meant is not None:
                return meant
        if base.kind == "tuple" and base.code is not None:
            function = method_of(base.code, name)
            if function is not None:
                return self.interpreter.calls.call_function(function, node, env, base)
        if base.kind == "tuple":
            return self._tuple_method(base, name, positional, keywords, node)
        if base.kind == "list":
            if name == "extend" and node.args:
                node.args[0] = self.interpreter.generators.at_once(node.args[0], env)
                self.refuse_own_items(base, node.args[0], env, node)
                positional = [self.value(node.args[0], env)]
            return self._list_method(base, name, positional, node)
        if base.kind == "dict":
            return self._dict_method(base, name, positional, keywords, node)
        return self._unknown_method(base, name, node, [*positional, *keywords.values()])

    def _unknown_method(self, base: Value, name: str, node: gast.Call, arguments: list[Value]) -> Value:
        if self.varied(base) or any(self.varied(a) for a in arguments):
            self.refuse(
                node,
                "method",
                f"cannot follow the method `{name}` of a {base.kind}",
                "It may bring active elements out or put them elsewhere.",
                "read and write the items one by one",
            )
        self.changes(self.interpreter.statement, base)
        return OPAQUE

    def _tuple_method(self, base: Value, name: str, positional: Any, keywords: Any, node: gast.Call) -> Value:
        if name == "_replace" and base.code is not None:
            items = tuple(keywords.get(f, i) for f, i in zip(base.code._fields, base.items or ()))
            return replace(base, items=items)
        if name in ("index", "count"):
            return INT
        return self._unknown_method(base, name, node, [*positional, *keywords.values()])

    def refuse_own_items(self, base: Value, source: gast.expr, env: Env, at: gast.AST) -> None:
        """A list grows item by item while a generator makes them: one that reads the list would see it."""
        lazy = isinstance(source, gast.GeneratorExp) or self.facts.resolved.get(source) in (map, filter)
        if not lazy or not self.varied(self.facts.types[source]):
            return
        if self.program.roots(base) & {self.program.root(site) for site in self.reached_from([source], env)}:
            self.refuse(
                at,
                "extend",
                "cannot extend a list by a generator that reads it",
                "Each item is made when the one before it is in the list already.",
                "append in a loop",
            )

    def _list_method(self, base: Value, name: str, positional: list[Value], node: gast.Call) -> Value:
        result = NONE
        if name == "pop":
            result = self.element(base, node)
        elif name == "copy":
            items = self.known_items(base)
            return (
                self.new_list(node, items)
                if items is not None
                else self.new_list(node, [self.element(base, node)], known=False)
            )
        elif name in ("index", "count"):
            return INT
        if name not in GROWING:
            return self._unknown_method(base, name, node, positional)
        if name == "__setitem__" and len(positional) == 2:
            self.changes(self.interpreter.statement, base)
            for cell in self.program.cells(base):
                self.program.put(cell, positional[1])
        else:
            self.changes(self.interpreter.statement, base)
            for cell in self.program.cells(base):
                self.program.grow(cell)
                if name in ("append", "insert") and positional:
                    self.program.put(cell, positional[-1])
                elif name == "extend" and positional:
                    self.program.put(cell, self.element(positional[0], node))
            for value in positional:
                self.interpreter.targets.outlives(self.interpreter.statement, base, value)
        return result

    def _dict_method(self, base: Value, name: str, positional: Any, keywords: Any, node: gast.Call) -> Value:
        if name in ("get", "pop", "setdefault"):
            known = positional[0].known if positional else None
            value = self.dict_item(base, known.value if known else None)
            if len(positional) > 1:
                value = positional[1] if value is OPAQUE else self.program.joined(value, positional[1])
            if name != "get":
                self.changes(self.interpreter.statement, base)
                if name == "setdefault":
                    self.keyed(base, positional[0])
                for cell in self.program.cells(base):
                    if name == "setdefault" and len(positional) > 1:
                        self.program.put(cell, positional[1], known.value if known else None)
            return value
        if name == "values":
            return self._iterable(self.dict_item(base, None), "values")
        if name == "items":
            return self._iterable(Value("tuple", items=(self.key_of(base, node), self.dict_item(base, None))), "items")
        if name == "keys":
            return self.key_of(base, node)
        if name == "copy":
            return self.copied_dict(base, node)
        if name == "update":
            self.changes(self.interpreter.statement, base)
            for cell in self.program.cells(base):
                for key, value in keywords.items():
                    self.program.put(cell, value, key)
            for other in positional:
                self.filled(base, other, node)
            return NONE
        return self._unknown_method(base, name, node, [*positional, *keywords.values()])

    def filled(self, base: Value, other: Value, node: gast.AST) -> None:
        """A dict gets the items of another one, or of a sequence of pairs."""
        if other.kind == "dict":
            for cell, source in itertools.product(self.program.cells(base), self.program.cells(other)):
                self.absorb(cell, source)
            return
        pair = self.element(other, node)
        self.keyed(base, pair.items[0] if pair.items else self.element(pair, node))
        second = pair.items[1] if pair.items is not None and len(pair.items) == 2 else None
        for cell in self.program.cells(base):
            self.program.put(cell, second or self.element(pair, node))

    def union(self, left: Value, right: Value, node: gast.AST) -> Value:
        """The new dict that `left | right` is."""
        made = self.copied_dict(left, node)
        self.filled(made, right, node)
        return made

    def copied_dict(self, base: Value, node: gast.AST) -> Value:
        site = self.site(node, "dict")
        for cell in self.program.cells(base):
            self.absorb(self.program.heap[site], cell)
        return Value("dict", sites=frozenset([site]))

    def _iterable(self, element: Value, word: str) -> Value:
        """Something to iterate over; `items` marks it active if its elements are."""
        return Value("opaque", code=element, varied=self.varied(element))

    # -- builtins over containers ---------------------------------------------------------------

    def special_call(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """Builtins whose meaning is part of the language rather than a rule."""
        protocols = self.interpreter.protocols
        meant = protocols.meaning_of_conversion(thing, node, env)
        meant = meant or self.interpreter.generators.meaning_of_steps(thing, node, env)
        meant = meant or protocols.meaning_over_objects(thing, node, env)
        meant = meant or self.interpreter.called_operators.meaning_of_operator_call(thing, node, env)
        meant = meant or self.interpreter.entries.meaning_of_entries(thing, node, env)
        meant = meant or self.interpreter.array_calls.meaning_of_call(thing, node, env)
        meant = meant or self.interpreter.shorthands.meaning_of_call(thing, node, env)
        if meant is not None:
            return meant
        try:
            method = self._builtins.get(thing)
        except TypeError:
            return None
        if method is None:
            return None
        word = FIRST.get(thing)
        if not node.args and any(k.arg == word for k in node.keywords):  # enumerate(iterable=xs)
            first, others = [k.value for k in node.keywords if k.arg == word], [k for k in node.keywords if k.arg != word]
            return self.meant(node, lambda: gast.Call(node.func, first, others), env)
        positional, keywords = self.arguments(node, env)
        return method(positional, keywords, node, env)

    @functools.cached_property
    def _builtins(self) -> dict[Any, Callable[[Any, Any, gast.Call, Env], Value]]:
        generators, construction = self.interpreter.generators, self.interpreter.construction
        stand_ins = self.interpreter.stand_ins
        attributes = self.interpreter.attributes
        return {
            len: self._call_len,
            int: self._call_int,
            type: self._call_type,
            range: self._call_range,
            slice: self._call_slice,
            list: self._call_list,
            sorted: self._call_list,
            tuple: self._call_tuple,
            dict: self._call_dict,
            dict.fromkeys: self._call_fromkeys,
            zip: self._call_zip,
            enumerate: self._call_enumerate,
            reversed: self._call_reversed,
            iter: generators.call_iter,
            next: generators.call_next,
            iterators.walked: generators.call_walked,
            iterators.asked: generators.call_asked,
            zeros: self.interpreter.zeros.call_zeros,
            hasattr: attributes.call_hasattr,
            is_set: attributes.call_hasattr,
            setattr: attributes.call_setattr,
            copy.copy: attributes.call_copy,
            copy.deepcopy: attributes.call_deepcopy,
            refuse_held_twice: attributes.call_checked,
            check_length: attributes.call_checked,
            check_keywords: attributes.call_checked,
            dataclasses.fields: attributes.call_fields,
            dataclasses.asdict: attributes.call_asdict,
            dataclasses.astuple: attributes.call_astuple,
            sum: self._call_sum,
            min: self._call_extreme,
            max: self._call_extreme,
            np.array: self._call_array,
            np.asarray: self._call_array,
            np.ascontiguousarray: self._call_array,
            np.ndarray: self._call_ndarray,
            builtins.isinstance: self._call_isinstance,
            set: self.interpreter.sets.call_set,
            frozenset: self.interpreter.sets.call_set,
            collections.deque: stand_ins.call_deque,
            collections.defaultdict: stand_ins.call_defaultdict,
            collections.OrderedDict: stand_ins.call_ordered,
            object.__new__: construction.call_new_object,
            collections.namedtuple: construction.call_namedtuple,
            dataclasses.replace: construction.call_replace,
        }

    def _call_len(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        value = positional[0] if positional else OPAQUE
        if value.kind == "array" and value.dims:
            dim = value.dims[0]
            return Value(
                "int",
                known=Known(dim) if isinstance(dim, int) else None,
                length=dim if isinstance(dim, Linear) else None,
            )
        items = self.known_items(value) if value.kind in ("tuple", "list") else None
        return Value("int", known=Known(len(items)) if items is not None and value.kind == "tuple" else None)

    def _call_range(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        return Value("opaque", code="range")

    def _call_slice(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        if all(p.known is not None for p in positional):
            return Value("opaque", known=Known(slice(*(p.known.value for p in positional))), code="slice")
        return Value("opaque", code="slice")

    def _call_list(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        if not positional:
            return self.new_list(node, [])
        items = self.known_items(positional[0])
        if items is not None:
            return self.new_list(node, list(items))
        return self.new_list(node, [self.element(positional[0], node)], known=False)

    def _call_tuple(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        items = self.known_items(positional[0]) if positional else ()
        return Value("tuple", items=tuple(items)) if items is not None else OPAQUE

    def _call_dict(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        made = Value("dict", sites=frozenset([self.site(node, "dict")]))
        for source in positional:
            self.filled(made, source, node)
        for cell, (key, value) in itertools.product(self.program.cells(made), keywords.items()):
            self.program.put(cell, value, key)
        return made

    def _call_fromkeys(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        site = self.site(node, "dict")
        self.program.put(self.program.heap[site], positional[1] if len(positional) > 1 else NONE)
        return Value("dict", sites=frozenset([site]))

    def _call_zip(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        return self._iterable(Value("tuple", items=tuple(self.element(p, node) for p in positional)), "zip")

    def _call_enumerate(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        return self._iterable(Value("tuple", items=(INT, self.element(positional[0], node))), "enumerate")

    def _call_reversed(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        if positional[0].code == "range":
            return positional[0]
        return self._iterable(self.element(positional[0], node), "reversed")

    def _call_sum(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        start = positional[1] if len(positional) > 1 else keywords.get("start", Value("int", known=Known(0)))
        items = self.known_items(positional[0])
        if items is None:
            items = [self.element(positional[0], node)]
        if any(i.kind == "object" or method_of(class_of(i), "__add__") for i in items):
            first = node.args[1:] or [k.value for k in node.keywords] or [constant(0)]
            return self.meant(node, lambda: gast.Call(self.given(equivalents.summed), [node.args[0], first[0]], []), env)
        total = start
        items = [i for i in items if i.kind != "bottom"]  # of a list that stays empty
        for item in items:
            total = self.interpreter.arithmetic.operate(gast.Add(), total, item, node)
        if items and self.known_items(positional[0]) is None:
            total = self.program.joined(total, self.interpreter.arithmetic.operate(gast.Add(), total, items[0], node))
        return total if not total.known else replace(total, known=None)

    def _call_extreme(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        if len(positional) == 1:
            items = self.known_items(positional[0])
            values = list(items) if items is not None else [self.element(positional[0], node)]
        else:
            values = list(positional)
        if "default" in keywords:
            values.append(keywords["default"])
        result = self.joined(values)
        return replace(result, known=None) if result.kind in SCALARS else result

    def _call_array(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """np.array and np.asarray: of an array by their rule, of nested sequences entry by entry."""
        thing = self.facts.resolved[node]
        dtype = keywords.get("dtype") or (positional[1] if len(positional) > 1 else None)
        given = {k: v for k, v in keywords.items() if k in ("dtype", "ndmin")} | ({"dtype": dtype} if dtype else {})
        source = positional[0]
        target = self.converted_to(source, dtype, node) if dtype is not None and dtype.kind != "none" else None
        value = self.interpreter.arithmetic.apply(thing, positional[:1], given, node)
        if value.kind == "number" and target is not None:
            value = replace(value, dtype=target.name)
        if thing is np.array or source.kind not in ("array", "number"):
            site = self.site(node, "array")
            passed = source.sites if thing is not np.array and source.kind == "opaque" else frozenset()
            value = replace(value, sites=passed | {site}, kind="array" if value.kind != "number" else "number")
            if self.varied(source) and value.smooth:
                self.program.mark(self.program.heap[site], "varied")
        return replace(value, varied=self.varied(source) and value.smooth)

    def converted_to(self, source: Value, target: Value, node: gast.Call) -> np.dtype | None:
        """The dtype that something is converted to, if it is one of numbers; active values need one that is known."""
        dtype = np.dtype(target.known.value) if target.known is not None else None
        if dtype is not None and dtype.kind in "fciub":
            return dtype
        if self.varied(source):
            unknown = "Its target is known only when the program runs."
            self.refuse(
                node,
                "dtype",
                "cannot differentiate through this conversion",
                unknown if dtype is None else f"An array of dtype {dtype} carries no derivative.",
                "convert to a dtype of floats that the text names",
            )
        return None

    def _call_ndarray(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        """np.ndarray(shape, dtype), which is np.empty; of a buffer it is a view of what that holds."""
        buffer = keywords.get("buffer", positional[2] if len(positional) > 2 else NONE)
        if self.varied(buffer):
            self.refuse(
                node,
                "buffer",
                "cannot follow an array made on the memory of another",
                "It may read an active array with any shape and dtype.",
                "use `reshape`, slices or `.T`, which are views too",
            )
        if buffer.kind != "none":
            return replace(OPAQUE, sites=buffer.sites)
        dtype = {k: v for k, v in keywords.items() if k == "dtype"}
        return self.interpreter.arithmetic.apply(np.empty, positional[:2], dtype, node)

    def _call_int(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        value = self.interpreter.arithmetic.apply(int, positional, keywords, node)
        return value if value.kind == "int" else INT

    def _call_type(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        value = positional[0] if len(positional) == 1 else OPAQUE
        if any(self.varied(v) for v in positional[1:]):
            return self.unsettled(node, "a class made of active values")
        if value.kind != "object" or value.known is None:
            return self.unknown(node, *positional)
        return self.program.value_of(value.known.value, "global type")

    def _call_isinstance(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        value = positional[0]
        asked = [i for p in positional[1:] for i in (p.items if p.items is not None else [p])]
        classes = tuple(c.known.value for c in asked if c.known is not None and isinstance(c.known.value, type))
        if isinstance(value.code, StandIn) and self.varied(value):
            plain = list if value.kind == "list" else dict
            if issubclass(value.code.cls, classes) != issubclass(plain, classes):
                return self.unsettled(node, f"a question about the class of a {value.code.cls.__name__} of active values")
        return BOOL

    def described(self, value: Value) -> Value:
        """A value that an example can be made of: lists with what they hold."""
        if value.kind == "tuple" and value.items is not None:
            return replace(value, items=tuple(self.described(i) for i in value.items))
        if value.kind != "list":
            return value
        items = self.known_items(value)
        if items is not None:
            return Value("list", items=tuple(self.described(i) for i in items))
        return Value("list", items=(self.described(self.element(value, None)),), code="many")
