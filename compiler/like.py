"""Types of arguments where there are no arguments: from `--like`, annotations, and calls that a file makes.

w=float64[3]            an array of 3
A=float[:, :]           a matrix of any shape
x=float64[n], y=float64[n]    arrays of one length
p=dict(a=float, w=float64[3])    a dict
"""

import ast
import contextlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from pullback.compiler.analysis.program import Program
from pullback.compiler.analysis.values import Dim, Linear, Value
from pullback.compiler.frontend.safe_evaluation import NotKnown
from pullback.compiler.frontend.text_module import ModuleText, TextFunction
from pullback.compiler.frontend.text_run import Run
from pullback.runtime.shadows import has_fields

SCALARS = {"float": 1.0, "int": 2, "bool": True, "complex": 1j, "str": "text", "none": None, "None": None}
DTYPES = (
    *("float16", "float32", "float64", "complex64", "complex128", "bool"),
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
)
SYNTAX = "float, int, bool, str, none, float64[3], float[:, n], list[float], (float, int), dict(a=float)"


class LikeError(ValueError):
    """A type that does not read as one."""


@dataclass(frozen=True)
class Example:
    """The type of an object."""

    thing: Any


@dataclass(frozen=True)
class Array:
    """An array; a dimension is a length, a name that stands for one, or None."""

    dtype: str
    dims: tuple[int | str | None, ...]


@dataclass(frozen=True)
class ListOf:
    """A list of any length."""

    item: "Like"


@dataclass(frozen=True)
class Sequence:
    """A tuple, or a list of known length."""

    items: tuple["Like", ...]
    kind: str


@dataclass(frozen=True)
class Fields:
    """A dict with these string keys."""

    items: tuple[tuple[str, "Like"], ...]


Like = Example | Array | ListOf | Sequence | Fields


def parsed_like(text: str) -> tuple[str, Like]:
    """ "w=float64[3]" → ("w", Array("float64", (3,))); LikeError if it is something else."""
    name, found, kind = text.partition("=")
    if not found or not name.strip().isidentifier():
        raise LikeError(f"--like {text!r} is not NAME=TYPE, as in w=float64[3]")
    try:
        return name.strip(), _like(ast.parse(kind.strip(), mode="eval").body)
    except (SyntaxError, LikeError):
        raise LikeError(f"--like {text!r} has no type that I know: {SYNTAX}") from None


def _like(node: ast.expr) -> Like:
    if isinstance(node, ast.Constant) and node.value is None:
        return Example(None)
    if isinstance(node, ast.Name) and node.id in SCALARS:
        return Example(SCALARS[node.id])
    if isinstance(node, ast.Name) and node.id in DTYPES:
        return Example(np.dtype(node.id).type(1))
    if isinstance(node, ast.Tuple):
        return Sequence(tuple(map(_like, node.elts)), "tuple")
    if isinstance(node, ast.List):
        return Sequence(tuple(map(_like, node.elts)), "list")
    if isinstance(node, ast.Call) and _is(node.func, "dict") and not node.args and all(k.arg for k in node.keywords):
        return Fields(tuple((str(k.arg), _like(k.value)) for k in node.keywords))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        head = node.value.id
        if head == "list" and len(parts) == 1:
            return ListOf(_like(parts[0]))
        if head == "tuple":
            return Sequence(tuple(map(_like, parts)), "tuple")
        if head in DTYPES or head in ("float", "int", "complex"):
            return Array(np.dtype(head).name, tuple(map(_dimension, parts)))
    raise LikeError


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _dimension(node: ast.expr) -> int | str | None:
    if isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None:
        return None
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and type(node.value) is int and node.value >= 0:
        return node.value
    raise LikeError


def annotated_like(node: ast.expr | None) -> tuple[Like | None, str]:
    """The type that an annotation says, or why it does not say enough."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return None, ""
    if node is None:
        return None, ""
    words = [getattr(n, "id", getattr(n, "attr", "")) for n in ast.walk(node)]
    if {"ndarray", "NDArray", "ArrayLike"} & set(words):
        return None, "its annotation does not say how many dimensions it has"
    try:
        found = _like(node)
    except LikeError:
        return None, f"its annotation `{ast.unparse(node)}` does not settle it"
    return (None, "") if found == Example(None) else (found, "")


def value_like(like: Like, program: Program, site: str, active: bool) -> Value:
    """The abstract value of an argument of a type."""
    if isinstance(like, Example):
        return program.value_of(like.thing, site, active)
    if isinstance(like, Array):
        cell = program.cell(site, "array", from_outside=True)
        smooth = np.dtype(like.dtype).kind in "fc"
        if active and smooth:
            program.mark(cell, "varied")
        dims = tuple(_dim(d, f"{site}.{i}") for i, d in enumerate(like.dims))
        return Value("array", like.dtype, dims, frozenset([site]), active and smooth)
    if isinstance(like, ListOf):
        cell = program.cell(site, "list", from_outside=True)
        program.put(cell, value_like(like.item, program, f"{site}[*]", active))
        return Value("list", sites=frozenset([site]))
    if isinstance(like, Fields):
        cell = program.cell(site, "dict", from_outside=True)
        for key, item in like.items:
            program.put(cell, value_like(item, program, f"{site}[{key!r}]", active), key)
        return Value("dict", sites=frozenset([site]))
    items = [value_like(one, program, f"{site}[{i}]", active) for i, one in enumerate(like.items)]
    if like.kind == "tuple":
        for inner in (c for one in items for c in program.cells(one)):
            program.mark(inner, "stored")
        return Value("tuple", items=tuple(items))
    return program.list_from_outside(site, items)


def _dim(dim: int | str | None, site: str) -> Dim:
    if isinstance(dim, str):
        return Linear(dim)
    return 1 if dim == 1 else Linear(site, 0, wide=dim is not None)


def without_derivative(like: Like) -> str:
    """What a type is, if no gradient with respect to it exists."""
    if isinstance(like, Array):
        return "" if np.dtype(like.dtype).kind in "fc" else f"an array of dtype {like.dtype}"
    thing = like.thing if isinstance(like, Example) else 1.0
    if isinstance(thing, np.ndarray):
        return "" if thing.dtype.kind in "fc" else f"an array of dtype {thing.dtype}"
    if thing is None or isinstance(thing, bool | np.bool_ | int | np.integer | str | bytes):
        return {int: "an int", type(None): "None"}.get(type(thing), f"a {type(thing).__name__}")
    if callable(thing) and not has_fields(thing):
        return {int: "an int", type(None): "None"}.get(type(thing), f"a {type(thing).__name__}")
    return ""


def called_with(module: ModuleText, target: ast.AST, real: dict[str, Any] | None = None) -> dict[str, Any]:
    """Arguments by parameter name, as far as calls of the function in its own file tell them.

    real: the globals of the file where it was imported, for what its text does not tell.
    """
    found: dict[str, Any] = {}

    def seen(node: ast.Call, run: Run) -> None:
        try:
            function = run.evaluator.value(node.func)
        except NotKnown:
            return
        if not isinstance(function, TextFunction):
            return
        if function.node is target:
            for name, value in _bound(node, function, run).items():
                found.setdefault(name, value)

    values: dict[str, Any] = {"__name__": module.name}
    run = Run(module, values, seen)
    for statement in module.definitions.tree.body:
        if real is not None:
            values |= {k: real[k] for k, v in values.items() if k in real and not isinstance(v, TextFunction)}
        run.block([statement])
    return found


def _bound(node: ast.Call, function: TextFunction, run: Run) -> dict[str, Any]:
    """Parameters and arguments of a call, where the arguments are known."""
    a = function.node.args
    names = [p.arg for p in [*a.posonlyargs, *a.args]]
    bound: dict[str, Any] = {}
    try:
        position = 0
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                for item in run.evaluator.value(argument.value):
                    bound[names[position]] = item
                    position += 1
                continue
            if position < len(names):
                with contextlib.suppress(NotKnown):
                    bound[names[position]] = run.evaluator.value(argument)
            position += 1
        for keyword in node.keywords:
            if keyword.arg is not None:
                with contextlib.suppress(NotKnown):
                    bound[keyword.arg] = run.evaluator.value(keyword.value)
    except (NotKnown, IndexError, TypeError):
        pass
    return {n: v for n, v in bound.items() if n in names or n in [p.arg for p in a.kwonlyargs]}
