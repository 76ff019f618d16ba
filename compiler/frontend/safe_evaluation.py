"""Evaluates constant expressions of a text without running it: literals, arithmetic, array constructors.

2.0 * np.pi            → 6.283185307179586
np.array([1.0, 2.0])   → that array
open("data").read()    → NotKnown
"""

import ast
import logging
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

LARGEST = 10_000_000  # entries of an array, digits of a number

OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
BUILTINS = {
    f.__name__: f
    for f in (
        abs,
        bool,
        complex,
        dict,
        divmod,
        enumerate,
        float,
        frozenset,
        int,
        len,
        list,
        max,
        min,
        pow,
        range,
        reversed,
        round,
        set,
        slice,
        sorted,
        str,
        sum,
        tuple,
        zip,
    )
}
ARRAY_FUNCTIONS = [
    "allclose",
    "arange",
    "array",
    "array_equal",
    "asarray",
    "asfortranarray",
    "ascontiguousarray",
    "atleast_1d",
    "atleast_2d",
    "block",
    "broadcast_to",
    "column_stack",
    "concatenate",
    "copy",
    "cross",
    "cumprod",
    "cumsum",
    "deg2rad",
    "diag",
    "diff",
    "dot",
    "dtype",
    "einsum",
    "empty",
    "eye",
    "full",
    "full_like",
    "geomspace",
    "hstack",
    "identity",
    "inner",
    "kron",
    "linspace",
    "logspace",
    "max",
    "mean",
    "meshgrid",
    "min",
    "moveaxis",
    "ndim",
    "ones",
    "ones_like",
    "outer",
    "prod",
    "rad2deg",
    "ravel",
    "repeat",
    "reshape",
    "result_type",
    "rot90",
    "shape",
    "size",
    "sort",
    "sqrt",
    "squeeze",
    "stack",
    "std",
    "sum",
    "swapaxes",
    "tensordot",
    "tile",
    "trace",
    "transpose",
    "tri",
    "tril",
    "triu",
    "var",
    "vander",
    "vstack",
    "where",
    "zeros",
    "zeros_like",
]
METHODS = {
    np.ndarray: "all any argmax argmin astype clip copy cumsum diagonal dot flatten item max mean min prod ravel "
    "repeat reshape round squeeze std sum swapaxes tolist trace transpose var",
    dict: "get items keys values copy",
    list: "copy count index",
    tuple: "count index",
    str: "format join lower split strip upper",
    np.random.Generator: "exponential gamma integers lognormal multivariate_normal normal permutation poisson random "
    "standard_normal uniform",
}
ATTRIBUTES = ("T", "shape", "size", "ndim", "dtype", "real", "imag", "flat", "start", "stop", "step")
SAMPLERS = [
    "default_rng",
    "exponential",
    "normal",
    "permutation",
    "poisson",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "standard_normal",
    "uniform",
]


class NotKnown(Exception):
    """The value of an expression exists only when the file runs."""


class Evaluator:
    """Evaluates expressions over names that `lookup` knows (KeyError otherwise).

    With `sampling`, random numbers are drawn too: right for their types, not for their values.
    """

    def __init__(self, lookup: Callable[[str], Any], sampling: bool = False) -> None:
        self.lookup = lookup
        self.sampling = sampling
        self.random = np.random.RandomState(0)

    def value(self, node: ast.AST) -> Any:
        """The value of an expression; NotKnown if it cannot be had without running the program."""
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is None:
            raise NotKnown
        try:
            with np.errstate(all="ignore"):
                return method(node)
        except NotKnown:
            raise
        except (Exception, MemoryError):  # what the program would raise, or its own mistakes
            raise NotKnown from None

    def _Constant(self, node: ast.Constant) -> Any:
        return node.value

    def _Name(self, node: ast.Name) -> Any:
        try:
            return self.lookup(node.id)
        except KeyError:
            if node.id in BUILTINS:
                return BUILTINS[node.id]
            raise NotKnown from None

    def _Tuple(self, node: ast.Tuple) -> Any:
        return tuple(self._items(node.elts))

    def _List(self, node: ast.List) -> Any:
        return self._items(node.elts)

    def _Set(self, node: ast.Set) -> Any:
        return set(self._items(node.elts))

    def _Dict(self, node: ast.Dict) -> Any:
        made: dict[Any, Any] = {}
        for key, value in zip(node.keys, node.values):
            made |= self.value(value) if key is None else {self.value(key): self.value(value)}
        return made

    def _items(self, nodes: list[ast.expr]) -> list[Any]:
        found: list[Any] = []
        for n in nodes:
            found += self.value(n.value) if isinstance(n, ast.Starred) else [self.value(n)]
        return found

    def _UnaryOp(self, node: ast.UnaryOp) -> Any:
        return OPERATORS[type(node.op)](self.value(node.operand))

    def _BinOp(self, node: ast.BinOp) -> Any:
        return self.operate(node.op, self.value(node.left), self.value(node.right))

    def operate(self, op: ast.operator, left: Any, right: Any) -> Any:
        """`left op right`, if it is not too large."""
        if isinstance(op, ast.Pow | ast.LShift) and isinstance(left, int) and isinstance(right, int):
            if abs(right) * max(left.bit_length(), 1) > 100_000:
                raise NotKnown
        if isinstance(op, ast.Mult):
            for a, b in ((left, right), (right, left)):
                if isinstance(a, int) and isinstance(b, list | tuple | str | bytes) and a * len(b) > LARGEST:
                    raise NotKnown
        return OPERATORS[type(op)](left, right)

    def _BoolOp(self, node: ast.BoolOp) -> Any:
        for operand in node.values:
            value = self.value(operand)
            if bool(value) == isinstance(node.op, ast.Or):
                return value
        return value

    def _Compare(self, node: ast.Compare) -> Any:
        left, result = self.value(node.left), True
        for op, comparator in zip(node.ops, node.comparators):
            right = self.value(comparator)
            result = OPERATORS[type(op)](left, right)
            if len(node.ops) == 1 or not result:
                return result
            left = right
        return result

    def _IfExp(self, node: ast.IfExp) -> Any:
        return self.value(node.body if self.value(node.test) else node.orelse)

    def _Subscript(self, node: ast.Subscript) -> Any:
        return self.value(node.value)[self.value(node.slice)]

    def _Slice(self, node: ast.Slice) -> Any:
        return slice(*(None if part is None else self.value(part) for part in (node.lower, node.upper, node.step)))

    def _Attribute(self, node: ast.Attribute) -> Any:
        base = self.value(node.value)
        if node.attr.startswith("_"):
            raise NotKnown
        if type(base) is type(math) or hasattr(base, "__text__"):
            return getattr(base, node.attr)
        if node.attr in ATTRIBUTES and isinstance(
            base, np.ndarray | np.generic | slice | complex | float | int | range
        ):
            return getattr(base, node.attr)
        for kind, names in METHODS.items():
            if isinstance(base, kind) and node.attr in names.split():
                return getattr(base, node.attr)
        raise NotKnown

    def _ListComp(self, node: ast.ListComp) -> Any:
        return list(self._generated(node))

    def _GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        return list(self._generated(node))

    def _generated(self, node: ast.ListComp | ast.GeneratorExp) -> list[Any]:
        loop, target = node.generators[0], node.generators[0].target
        if len(node.generators) != 1 or not isinstance(target, ast.Name):
            raise NotKnown
        own: dict[str, Any] = {}
        inner = Evaluator(lambda name: own[name] if name in own else self.lookup(name), self.sampling)
        inner.random = self.random
        found = []
        for item in list(self.value(loop.iter))[:100_000]:
            own[target.id] = item
            if all(inner.value(test) for test in loop.ifs):
                found.append(inner.value(node.elt))
        return found

    def _Call(self, node: ast.Call) -> Any:
        function = self.value(node.func)
        args = self._items(node.args)
        keywords: dict[str, Any] = {}
        for k in node.keywords:
            keywords |= self.value(k.value) if k.arg is None else {k.arg: self.value(k.value)}
        if self.sampling and getattr(function, "__module__", "") == "pullback.compiler.api" and args:
            return args[0]  # grad(f) is called as f is
        random = getattr(function, "__self__", None) is RANDOM
        if (
            function is np.random.default_rng
            or random
            or isinstance(function, type(np.random.rand))
            and (isinstance(getattr(function, "__self__", None), np.random.Generator))
        ):
            if not self.sampling:
                raise NotKnown
            if random:
                if function.__name__ not in SAMPLERS:
                    raise NotKnown
                function = getattr(self.random, function.__name__)
            elif function is np.random.default_rng and not args:
                args = [0]
        elif not _is_pure(function):
            raise NotKnown
        _refuse_large(args)
        return function(*args, **keywords)


RANDOM = np.random.rand.__self__  # type: ignore[attr-defined]
PURE = {
    id(f)
    for f in (
        *BUILTINS.values(),
        *(getattr(np, name) for name in ARRAY_FUNCTIONS),
        *(f for f in vars(math).values() if callable(f)),
    )
}


def _is_pure(function: Any) -> bool:
    if isinstance(function, np.ufunc) or id(function) in PURE or function is logging.getLogger:
        return True
    if isinstance(function, type):
        return issubclass(function, np.generic)
    owner = getattr(function, "__self__", None)
    return (
        isinstance(owner, tuple(METHODS))
        and function.__name__ in METHODS[next(kind for kind in METHODS if isinstance(owner, kind))].split()
    )


def _refuse_large(args: list[Any]) -> None:
    """Refuse a call whose integers ask for too much memory."""
    size = 1
    for a in args:
        for n in a if isinstance(a, tuple | list) else [a]:
            if isinstance(n, int | np.integer) and abs(int(n)) > 1:
                size *= abs(int(n))
    if size > LARGEST:
        raise NotKnown
