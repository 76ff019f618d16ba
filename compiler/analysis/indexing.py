"""Abstract values of items and slices: of arrays by NumPy's rules, of containers by what they hold."""

import collections
from dataclasses import replace
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.evaluate import result_type
from pullback.compiler.analysis.objects import Part, is_enum
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.stand_ins import stands_for
from pullback.compiler.analysis.values import (
    BOTTOM,
    FLAT,
    OPAQUE,
    SCALARS,
    Dim,
    Known,
    Linear,
    Value,
    as_dim,
    entry_kind,
)
from pullback.compiler.ir.walk import every_node


class Indexing(Part):
    """The transfer function of `base[index]`."""


    def of_Subscript(self, node: gast.Subscript, env: Env) -> Value:
        base = self.value(node.value, env)
        index = self.value(node.slice, env)
        if base.kind == "array":
            return self._indexed(base, index, node)
        if base.kind == "number":
            fresh = Value("number", base.dtype, sites=base.sites, varied=base.varied)
            return self.program_active(fresh, base)
        if base.kind in ("tuple", "list", "dict"):
            return self._container_item(base, index, node, env)
        if base.kind in SCALARS and base.dtype and isinstance(node.slice, gast.Tuple) and not node.slice.elts:
            return self.meant(node, lambda: node.value, env)  # NumPy's s[()] is s
        if base.kind == "none":  # which has no items: another path is taken
            return BOTTOM
        meant = self.interpreter.shorthands.meaning_of_item(base, node, env)
        if meant is not None:
            return meant
        if base.kind == "object" and self.varied(base):
            self.refuse(
                node,
                "getitem",
                "cannot follow this item access",
                "What the class's own `__getitem__` does cannot be read.",
                "read a field instead",
            )
        if is_enum(base):
            return self.member(base.known.value, index)  # type: ignore[union-attr]
        if base.known is not None and isinstance(base.known.value, type) and hasattr(base.known.value, "__class_getitem__"):
            return base  # Stack[float] is Stack
        if base.known is not None and base.known.value in (np.mgrid, np.ogrid) and not self.varied(index):
            return self._grid(base.known.value, node)
        return self.lost(base, index) if self.varied(index) else self.lost(base)

    def _grid(self, grid: Any, node: gast.Subscript) -> Value:
        """np.mgrid[0:n, 0:m] → an array of two matrices; np.ogrid[0:n, 0:m] → a column and a row."""
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        bounds = [self.facts.types[b] for p in parts for b in gast.iter_child_nodes(p) if b in self.facts.types]
        dtype = np.dtype(int if all(b.kind == "int" for b in bounds) else float).name
        rank = len(parts)
        value = Value("array", dtype, (rank, *(None,) * rank))
        if not isinstance(node.slice, gast.Tuple):
            value = Value("array", dtype, (None,))
        elif grid is np.ogrid:
            rows = [Value("array", dtype, tuple(None if i == j else 1 for j in range(rank))) for i in range(rank)]
            value = Value("tuple", items=tuple(rows))
        return self.interpreter.arithmetic.settle(value, node, False, None, [])

    def program_active(self, value: Value, base: Value) -> Value:
        return value.active() if self.varied(base) and value.smooth else value

    def _container_item(self, base: Value, index: Value, node: gast.Subscript, env: Env) -> Value:
        items = self.known_items(base)
        if isinstance(node.slice, gast.Slice):
            return self._container_slice(base, items, node, env)
        key = self.interpreter.containers.constant_key(base, index)
        if stands_for(base, collections.defaultdict) and base.code.more and not getattr(node, "plain", False):
            return self.interpreter.stand_ins.meaning_of_default(base, node, env)
        if base.kind == "dict":
            self.program.carried_by_exception(index)  # a KeyError names the key
            return self.interpreter.containers.dict_item(base, key)
        if items is not None and isinstance(key, int) and -len(items) <= key < len(items):
            return items[key]
        if base.kind == "tuple" and items == ():
            return BOTTOM  # Python raises
        return self.element(base, node)

    def _container_slice(self, base: Value, items: Any, node: gast.Subscript, env: Env) -> Value:
        parts = [node.slice.lower, node.slice.upper, node.slice.step]
        known = [self.facts.types[p].known if p is not None else Known(None) for p in parts]
        if self.varied(base) or self.made_active(node, "list"):
            bounds = slice(*(k.value for k in known if k is not None)) if all(k is not None for k in known) else None
            return self.interpreter.sequences.meaning_of_slice(base, items, bounds, node, env)
        if items is not None and all(k is not None for k in known):
            chosen = list(items)[slice(*(k.value for k in known if k is not None))]
            return Value("tuple", items=tuple(chosen)) if base.kind == "tuple" else self.new_list(node, chosen)
        if base.kind == "tuple":
            return OPAQUE
        return self.new_list(node, [self.element(base, node)], known=False)

    def of_Slice(self, node: gast.Slice, env: Env) -> Value:
        bounds = [self.value(part, env) for part in (node.lower, node.upper, node.step) if part is not None]
        return Value("opaque", code="slice", varied=any(self.varied(b) for b in bounds))

    def _indexed(self, base: Value, index: Value, node: gast.Subscript) -> Value:
        """NumPy indexing: integers drop a dimension, slices and arrays keep one."""
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        values = [self.facts.types[p] for p in parts]
        if isinstance(node.slice, gast.Name) and index.kind == "tuple" and index.items is not None:
            values = list(index.items)
        if base.dims is None or any(
            v.kind in ("opaque", "number", "tuple") and v.code != "slice" and v.known is None for v in values
        ):
            return self._view(Value("number", base.dtype), base, node)
        basic = all(
            v.kind in ("int", "none") or v.code == "slice" or _is_known(v, slice, type(Ellipsis)) for v in values
        )
        if basic:
            dims = _basic_dims(base.dims, parts, values, self.facts.types, str(self.spec.index))
            if dims is None:
                return self._view(Value("number", base.dtype), base, node)
            if not dims and not any(_is_known(v, type(Ellipsis)) for v in values):
                kind = entry_kind(base.dtype)
                return Value(kind, base.dtype, varied=self.varied(base) and kind in ("float", "complex"))
            return self._view(Value("array", base.dtype, dims), base, node)
        return self._advanced(base, parts, values, node)

    def _view(self, value: Value, base: Value, node: gast.AST) -> Value:
        if base.code == FLAT:
            return self.interpreter.arithmetic.settle(value, node, self.varied(base), None, [])
        return replace(value, sites=base.sites, varied=self.varied(base) and base.smooth)

    def _advanced(self, base: Value, parts: list[gast.expr], values: list[Value], node: gast.AST) -> Value:
        whole = Value("known", known=Known(slice(None)))
        described = [whole if v.code == "slice" else self.interpreter.containers.described(v) for v in values]
        example = [
            replace(v, known=Known(0))
            if v.kind == "int"
            else replace(v, dtype="bool", dims=v.dims)
            if v.dtype == "bool"
            else v
            for v in described
        ]
        exact = not any(p for p, v in zip(parts, values) if v.code == "slice" and not _full(p)) and not any(
            v.dtype == "bool" for v in values
        )
        value = result_type(_pick, [base, *example], {})
        if value.kind == "array" and not exact:
            value = replace(value, dims=(None,) * len(value.dims or ()))
        return self.interpreter.arithmetic.settle(value, node, self.varied(base), None, [])


def _pick(base: Any, *index: Any) -> Any:
    return base[index if len(index) > 1 else index[0]]


def _is_known(value: Value, *types: type) -> bool:
    return value.known is not None and isinstance(value.known.value, types)


def _full(part: gast.expr) -> bool:
    return isinstance(part, gast.Slice) and part.lower is part.upper is part.step is None


def _basic_dims(
    dims: tuple[Dim, ...],
    parts: list[gast.expr],
    values: list[Value],
    types: dict[gast.AST, Value],
    scope: str,
) -> tuple[Dim, ...] | None:
    consuming = [v for v in values if v.kind != "none" and not _is_known(v, type(Ellipsis))]
    if len(consuming) > len(dims):
        return None
    result: list[Dim] = []
    left = list(dims)
    for position, value in enumerate(values):
        if _is_known(value, type(Ellipsis)):
            after = sum(1 for v in values[position + 1 :] if v.kind != "none")
            while len(left) > after:
                result.append(left.pop(0))
        elif value.kind == "none":
            result.append(1)
        elif value.kind == "int":
            left.pop(0)
        else:
            dim = left.pop(0)
            part = parts[position] if position < len(parts) else None
            bounds = part if isinstance(part, gast.Slice) else value.known.value if value.known else None
            result.append(_sliced(dim, bounds, types, scope))
    return (*result, *left)


def _symbolic(dim: Dim, part: Any, scope: str) -> Dim:
    """A length of its own for a slice with computed bounds: equal for equal bounds of equal lengths.

    It lasts until one of the names in the bounds is assigned anew.
    """
    if not isinstance(part, gast.Slice) or not isinstance(dim, (int, Linear)):
        return None
    nodes = [n for p in (part.lower, part.upper, part.step) if p is not None for n in every_node(p)]
    plain = (gast.Name, gast.Constant, gast.BinOp, gast.Add, gast.Sub, gast.Load, gast.UnaryOp, gast.USub)
    if not all(isinstance(n, plain) for n in nodes):
        return None
    names = sorted({n.id for n in nodes if isinstance(n, gast.Name)})
    inner = f"{dim.symbol}{dim.offset:+d}" if isinstance(dim, Linear) else str(dim)
    older = dim.symbol.split("|")[1] if isinstance(dim, Linear) and dim.symbol.startswith("~") else ""
    bounds = ":".join(gast.dump(p) if p is not None else "" for p in (part.lower, part.upper, part.step))
    return Linear(f"~{scope}|{older},{','.join(names)},|{inner}[{bounds}]")


def _sliced(dim: Dim, part: Any, types: dict[gast.AST, Value], scope: str) -> Dim:
    """The length of a slice; known where the bounds are literals, whatever the length clips from them."""

    def bound(node: Any) -> Any:
        if node is None:
            return None
        if not isinstance(node, gast.AST):
            return node
        value = types[node]
        return value.known.value if value.known is not None else "unknown"

    if part is None:
        return None
    low, high, step = (
        bound(p)
        for p in (
            (part.lower, part.upper, part.step) if isinstance(part, gast.AST) else (part.start, part.stop, part.step)
        )
    )
    if low in (None, 0) and high is None and step in (None, -1, 1):
        return dim
    if "unknown" in (low, high, step):
        return _symbolic(dim, part, scope)
    if isinstance(dim, int):
        return len(range(*slice(low, high, step).indices(dim)))
    if isinstance(dim, Linear) and step in (None, 1) and (low or 0) >= 0 and (high is None or high < 0):
        return as_dim(replace(dim, offset=dim.offset - (low or 0) + (high or 0)))
    return _symbolic(dim, part, scope)
