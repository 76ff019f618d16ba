"""Arguments that are the same memory: fine, unless it is written, as then no derivative with respect to each exists."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from pullback.compiler.arguments import span_of
from pullback.compiler.errors import Diagnostic, SharedArgumentError
from pullback.runtime.shadows import fields, has_fields


def check_shared(values: dict[str, Any], pairs: tuple[tuple[str, str], ...], source: Any) -> None:
    """Refuse arguments of which one is written and the other is, or holds, the same memory."""
    for written, other in pairs:
        if written not in values or other not in values:
            continue
        if written == other and _overlaps_itself(values[written]):
            raise _refusal(source, f"argument `{written}` of `{source.name}` holds overlapping arrays, and is written")
        if written != other and _overlap(values[written], values[other]):
            problem = f"arguments `{written}` and `{other}` of `{source.name}` share memory, and `{written}` is written"
            raise _refusal(source, problem, f"pass a copy, `{other}.copy()`")


class ReadOnly(np.ndarray):
    """An argument that the caller does not let write: nor does the copy of it that a derivative works on."""

    def copy(self, order: Any = "C") -> Any:
        made = np.array(self, order=order)
        made.flags.writeable = False
        return made

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy("K")


def as_given(values: dict[str, Any], written: tuple[str, ...]) -> dict[str, Any]:
    """The arguments, of which those that are written stay read-only where they are."""
    closed = {n: v for n in written if isinstance(v := values.get(n), np.ndarray) and not v.flags.writeable}
    return {**values, **{n: v.view(ReadOnly) for n, v in closed.items()}} if closed else values


def _refusal(source: Any, problem: str, advice: str = "pass copies") -> SharedArgumentError:
    cause = "No derivative with respect to each of them exists: they are the same array."
    return SharedArgumentError(Diagnostic("shared", problem, span_of(source), cause, advice))


def _overlap(one: Any, two: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return np.may_share_memory(one, two) and np.shares_memory(one, two)
    left, right = _by_owner(one), _by_owner(two)
    return any(a is b or _meet(a, b) for owner in left.keys() & right.keys() for a in left[owner] for b in right[owner])


def _overlaps_itself(value: Any) -> bool:
    """Is there a view beside what it is a view of? (The same array twice is one array.)"""
    return any(
        a is not b and _meet(a, b) for held in _by_owner(value).values() for i, a in enumerate(held) for b in held[:i]
    )


def _meet(a: Any, b: Any) -> bool:
    return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.shares_memory(a, b)


def _by_owner(value: Any) -> dict[int, list[Any]]:
    """Everything mutable that is reached from a value, by the object that owns its memory."""
    found: dict[int, list[Any]] = {}
    for thing in _mutable(value, set()):
        owner = thing
        while isinstance(owner, np.ndarray) and owner.base is not None:
            owner = owner.base
        found.setdefault(id(owner), []).append(thing)
    return found


def _mutable(value: Any, seen: set[int]) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
        return
    parts: Any = value if isinstance(value, (list, tuple)) else value.values() if isinstance(value, dict) else ()
    if has_fields(value):
        parts = fields(value).values()
    elif not isinstance(value, (list, dict, tuple)):
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if not isinstance(value, tuple):
        yield value
    for part in parts:
        yield from _mutable(part, seen)
