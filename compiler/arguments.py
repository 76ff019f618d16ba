"""The caller's side: which arguments, of which types, and gradients in the arguments' own structure."""

import collections
import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np

from pullback.compiler.errors import ArgumentError, Diagnostic, Span, UnsupportedError
from pullback.runtime.shadows import blank, fields, has_fields

Wrt = int | str | tuple[Any, ...]


def span_of(source: Any) -> Span:
    return Span(source.file, source.tree.lineno, source.tree.col_offset, 0, source.lines)


def positions(sig: inspect.Signature, wrt: Any, source: Any, owner: Any) -> tuple[tuple[str, ...], bool]:
    """The parameter names that `wrt` picks, and whether it was one rather than a tuple."""
    names = [n for n, p in sig.parameters.items()]
    counted = names[1:] if owner is not None or (names[:1] == ["self"] and "." in source.name) else names
    if names[:1] == ["self"] and owner is None:
        counted = names[1:]
    single = not isinstance(wrt, (tuple, list))
    picked = []
    for item in (wrt,) if single else wrt:
        picked.append(chosen(item, counted, names, source))
    if not picked:
        raise ArgumentError(
            Diagnostic(
                "wrt",
                f"`wrt` of `{source.name}` names no argument",
                span_of(source),
                advice=f"name one or more of {', '.join(names)}",
            )
        )
    return tuple(picked), single


def chosen(item: Any, counted: list[str], names: list[str], source: Any) -> str:
    """The parameter an index or a name stands for."""
    if isinstance(item, str) and item in names:
        return item
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool) and -len(counted) <= item < len(counted):
        return counted[item]
    what = f"argument {item}" if not isinstance(item, str) else f"argument called {item!r}"
    raise ArgumentError(
        Diagnostic(
            "wrt",
            f"`{source.name}` has no {what}",
            span_of(source),
            f"Its arguments are {', '.join(names) or 'none'}.",
            "pass one of them as `wrt`",
        )
    )


def settled(values: dict[str, Any], wrt: tuple[str, ...], source: Any) -> None:
    """Refuse arguments that no derivative can be taken of."""
    for name in wrt:
        problem = _problem(values[name])
        if problem:
            raise ArgumentError(
                Diagnostic(
                    "argument",
                    f"argument `{name}` of `{source.name}` is {problem}, which has no derivative",
                    span_of(source),
                    "A gradient is taken with respect to floats.",
                    f"pass a float or a float array for `{name}`",
                )
            )
    for name, value in values.items():
        if (
            isinstance(value, np.ndarray)
            and (value.dtype.kind not in "fciub" or _is_masked(value))
            and (value.dtype.kind not in "USMm")
        ):
            kind = "a masked array" if _is_masked(value) else f"an array of dtype {value.dtype}"
            raise ArgumentError(
                Diagnostic(
                    "argument",
                    f"argument `{name}` of `{source.name}` is {kind}",
                    span_of(source),
                    "Its arithmetic is not NumPy's.",
                    "convert it to a float array",
                )
            )


def _is_masked(array: np.ndarray) -> bool:
    return type(array) is not np.ndarray and isinstance(array, np.ma.MaskedArray)  # `np.ma` is slow to import


def _problem(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "a bool"
    if isinstance(value, (int, np.integer)):
        return "an int"
    if isinstance(value, (str, bytes)):
        return f"a {type(value).__name__}"
    if isinstance(value, np.ndarray):
        if _is_masked(value):
            return "a masked array"
        if type(value) is not np.ndarray:
            return f"a {type(value).__name__}"
        return "" if value.dtype.kind in "fc" else f"an array of dtype {value.dtype}"
    if isinstance(value, (float, complex, np.number)) and not _is_own_number(value):
        return ""
    whole = f"a {type(value).__name__}"
    hidden = unfollowed(value, set())
    if hidden is not None:
        return whole if hidden is value else f"{whole} with a {type(hidden).__name__} in it"
    if not has_float(value, set()):
        return f"{whole} without floats"
    return f"{whole} that holds itself" if _holds_itself(value, (), set()) else ""


def _holds_itself(value: Any, around: tuple[int, ...], seen: set[int]) -> bool:
    if id(value) in seen or not (isinstance(value, (list, tuple, dict)) or has_fields(value)):
        return id(value) in around
    seen.add(id(value))
    return any(_holds_itself(p, (*around, id(value)), seen) for p in _parts(value))


def _is_own_number(value: Any) -> bool:
    """Is it of a subclass of float or complex, whose operators may mean anything?"""
    return isinstance(value, (float, complex)) and type(value) not in (float, complex) and not isinstance(value, np.number)


def unfollowed(value: Any, seen: set[int]) -> Any:
    """Something in a structure that holds others in a way of its own: a deque, a set, a subclass of list or float."""
    kind = type(value)
    if id(value) in seen:
        return None
    seen.add(id(value))
    if kind in (dict, collections.OrderedDict):
        parts = value.values()
    elif kind in (list, tuple) or hasattr(value, "_fields"):
        parts = value
    elif isinstance(value, (list, tuple, dict, set, frozenset, collections.deque, np.ndarray)) or _is_own_number(value):
        return None if kind is np.ndarray else value
    else:
        parts = fields(value).values() if has_fields(value) else ()
    return next((found for found in (unfollowed(p, seen) for p in parts) if found is not None), None)


def has_float(value: Any, seen: set[int]) -> bool:
    """Does a structure hold anything with a derivative?"""
    if isinstance(value, (float, complex, np.floating, np.complexfloating)):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fc"
    if id(value) in seen:
        return False
    seen.add(id(value))
    empty = isinstance(value, (list, tuple)) and not value
    return empty or any(has_float(v, seen) for v in _parts(value))


def _parts(value: Any) -> Iterable[Any]:
    """What a list, tuple, dict or object holds."""
    if isinstance(value, (list, tuple)):
        return value
    return (value if isinstance(value, dict) else fields(value)).values()


def scalar_result(result: Any, name: str, source: Any) -> None:
    """Refuse a result that has no gradient."""
    kind, span = result.kind, span_of(source)
    single = kind in ("float", "int", "bool", "number", "bottom") or result.perhaps_complex and kind == "complex"  # looked at when it runs
    if single or (kind == "array" and result.dims == ()):
        return
    if result.is_complex and not result.perhaps_complex:
        raise ArgumentError(
            Diagnostic(
                "output",
                f"`{name}` returns a complex number, which has no gradient",
                span,
                "A gradient is that of a real scalar.",
                "return its real part or its modulus",
            )
        )
    if kind == "none":
        raise ArgumentError(
            Diagnostic(
                "output",
                f"`{name}` returns None",
                span,
                "A path ends without a return of a number.",
                "add the `return`",
            )
        )
    shape = f"an array of rank {len(result.dims)}" if kind == "array" and result.dims is not None else f"a {kind}"
    raise ArgumentError(
        Diagnostic(
            "output",
            f"`{name}` returns {shape}, not a scalar",
            span,
            "A gradient is that of one number.",
            "return a sum or another single number of it, or use `vjp`",
        )
    )


def restored(gradients: Any, derived: Any, values: dict[str, Any]) -> Any:
    """Gradients with the structure, shape and dtype of their arguments, in memory of their own."""
    held = [v for v in values.values() if not isinstance(v, float)]
    if derived.single:
        return _as(values[derived.wrt[0]], gradients, held)
    done: list[Any] = []
    for name, g in zip(derived.wrt, gradients):
        new = _as(values[name], g, held)
        held.append(new)
        done.append(new)
    return tuple(done)


def _as(like: Any, g: Any, held: list[np.ndarray]) -> Any:
    if isinstance(like, np.ndarray):
        if type(g) is not np.ndarray or g.dtype != like.dtype or g.shape != like.shape:
            g = np.broadcast_to(np.asarray(g), like.shape)
            return np.array(g if like.dtype.kind == "c" else _real(g), dtype=like.dtype)
        own = g.base is None and not any(g is h for h in held)  # nobody else refers to the memory
        return (
            g
            if own and not any(isinstance(h, (list, tuple, dict)) or hasattr(h, "__dict__") for h in held)
            else g.copy()
        )
    if type(like) is float:
        return float(_real(g))
    if isinstance(like, (np.floating, np.complexfloating)):
        return type(like)(_real(g) if isinstance(like, np.floating) else g)
    if isinstance(like, complex):
        return complex(g)
    if isinstance(like, dict):
        return type(like)((k, _as(v, g[k], held)) for k, v in like.items())
    if isinstance(like, tuple) and hasattr(like, "_fields"):
        return type(like)(*(_as(v, x, held) for v, x in zip(like, g)))
    if isinstance(like, (list, tuple)):
        return type(like)(_as(v, x, held) for v, x in zip(like, g))
    if has_fields(like):
        return _object_like(like, g, held)
    return None


def _real(g: Any) -> Any:
    """The gradient of something real; a complex one says that a complex number passed unnoticed on its way."""
    if not np.iscomplexobj(g):
        return g
    if np.any(np.imag(g)):
        raise UnsupportedError(
            Diagnostic(
                "complex",
                "the gradient of something real came out complex",
                cause="A value on its way turned out complex that could not be known to be.",
                advice="make it complex for every argument, as by `complex(...)` or `+ 0j`",
            )
        )
    return np.real(g)


def _object_like(like: Any, g: Any, held: list[np.ndarray]) -> Any:
    new = blank(type(like))
    for key, value in fields(like).items():
        object.__setattr__(new, key, _as(value, getattr(g, key, None), held))
    return new
