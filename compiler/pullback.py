"""vjp: the value of a function, and the pullback that takes an adjoint of it to adjoints of its arguments."""

import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from pullback.compiler.api import Derived
from pullback.compiler.arguments import Wrt, restored, settled
from pullback.compiler.forms import check_form
from pullback.compiler.frontend.derivatives import FAMILY
from pullback.runtime.shadows import add_into, copied, zeros

COPIED = (np.ndarray, list, dict, tuple)


def vjp(function: Callable[..., Any], *args: Any, wrt: Wrt = 0) -> tuple[Any, Callable[[Any], Any]]:
    """(value, pull): `pull(y_bar)` gives the adjoints of the arguments that `wrt` names.

    y_bar has the structure of the value: a number, an array, or a tuple, list or dict of them. The
    adjoints have the structure, shape and dtype of their arguments. `pull` may be called any number of times.
    It reads arrays that the function captured or found in globals again: leave those as they are until the last call.
    Raises DerivativeError for what cannot be differentiated.
    """
    derived = _derived(function, wrt)
    values = derived.bound(args)
    settled(values, derived.wrt, derived.code_source)
    compiled = derived.compiled(values)
    run = _Run(compiled, values)
    value = run.value
    started: list[_Run] = [run]

    def pull(y_bar: Any) -> Any:
        """The adjoints of the arguments for the adjoint `y_bar` of the value."""
        current = started.pop() if started else _Run(compiled, run.kept)
        return restored(current.back(y_bar, derived), derived, values)

    return value, pull


FAMILY |= {vjp: "vjp"}


def _derived(function: Callable[..., Any], wrt: Wrt) -> Derived:
    """The derivatives of the plain functions asked for last are kept with their texts."""
    items = wrt if isinstance(wrt, tuple) else (wrt,)
    kept = isinstance(function, types.FunctionType) and all(type(i) in (int, str) for i in items)
    return _kept(function, wrt) if kept else Derived(function, wrt, "vjp")


@functools.lru_cache(maxsize=128)
def _kept(function: Callable[..., Any], wrt: Wrt) -> Derived:
    return Derived(function, wrt, "vjp")


class _Run:
    """One forward sweep, to be taken back once."""

    def __init__(self, compiled: Any, values: dict[str, Any]) -> None:
        self.run = compiled.run
        self.pair = compiled.derivative.pair
        self.reverse = compiled.loaded[self.pair.reverse]
        changed = compiled.derivative.changed
        self.kept = _copies(values, changed)
        work = _copies(values, changed) if changed else dict(self.kept)
        seen: dict[int, Any] = {}
        self.shadows = {p: zeros(work[p], seen, p in self.pair.loose) for p in self.pair.shadowed}
        given = [
            x for p in self.pair.parameters for x in ([work[p], self.shadows[p]] if p in self.shadows else [work[p]])
        ]
        out = self.run(compiled.function, *given)
        count = len(self.pair.results)
        held = [i for i, r in enumerate(compiled.derivative.result_kinds) if r == "shadow"]
        self.results = list(out[:count])
        self.result_shadows = dict(zip(held, out[count : count + len(held)]))
        self.saved = out[-1]
        self.kinds = compiled.derivative.result_kinds
        result = tuple(self.results) if self.pair.several else self.results[0]
        self.value = copied(result) if isinstance(result, COPIED) else result

    def back(self, y_bar: Any, derived: Derived) -> Any:
        """The adjoints of the wanted arguments."""
        check_form(tuple(self.results) if self.pair.several else self.results[0], y_bar, "adjoint", "the value", spread=True)
        parts = list(y_bar) if self.pair.several and y_bar is not None else [y_bar] * len(self.results)
        bars = []
        for i, (kind, part) in enumerate(zip(self.kinds, parts)):
            if kind == "shadow" and part is not None:
                add_into(self.result_shadows[i], part)
            elif kind == "value":
                bars.append(_like(self.results[i], 0.0 if part is None else part))
        added = self.run(self.reverse, self.saved, *bars)
        found = dict(self.shadows)
        if len(self.pair.returned) == 1:
            found[self.pair.returned[0]] = added
        else:
            found |= dict(zip(self.pair.returned, added or ()))
        wanted = [found[p] if p in found else zeros(self.kept[p]) for p in derived.wrt]
        return wanted[0] if derived.single else tuple(wanted)


def _copies(values: dict[str, Any], changed: tuple[str, ...]) -> dict[str, Any]:
    """Copies of arrays and containers, and of objects that are changed; what is shared among them stays so."""
    memo: dict[int, Any] = {}
    return {n: copied(v, memo) if isinstance(v, COPIED) or n in changed else v for n, v in values.items()}


def _like(value: Any, bar: Any) -> Any:
    """The adjoint in the value's shape; a number stands for the same number everywhere, and has an adjoint that is one."""
    if isinstance(value, np.ndarray):
        return np.array(np.broadcast_to(bar, value.shape), dtype=np.result_type(value, np.asarray(bar)))
    return bar[()] if isinstance(bar, np.ndarray) and bar.ndim == 0 else bar
