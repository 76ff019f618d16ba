"""The short way into a derivative that was called before: one test of what it was compiled for, then its text.

def call(a0, a1):
    if (type(a0) is ndarray and a0.dtype is dtype0 and a0.ndim == 1 and a0.shape[0] > 1
            and type(a1) is type1
            and look0() is thing0):
        try:
            out = derivative(a0, a1)
        except Refusal as refusal:
            raise told(refusal, codes) from refusal
        [g0, g1] = out
        if (type(g0) is ndarray and g0.dtype is dtype0 and g0.shape == a0.shape and g0.base is None and g0 is not a0
                and (type(g1) is float64 or type(g1) is float)):
            return g0, float(g1)
        return restored(out, derived, dict(zip(names, [a0, a1])))
    return slowly(a0, a1)
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pullback.compiler.arguments import restored
from pullback.compiler.emit.load import load
from pullback.compiler.refusals import told
from pullback.runtime.refusals import Refusal

NAMES = {
    "ndarray": np.ndarray,
    "float64": np.float64,
    "may_share_memory": np.may_share_memory,
    "restored": restored,
    "Refusal": Refusal,
    "told": told,
}


def dispatcher(compiled: Any, key: tuple[Any, ...], slowly: Callable[..., Any]) -> Callable[..., Any]:
    """What does the same as `slowly`, in less time for arguments with this key of types.

    It is `slowly` itself where an argument is more than a number, a string or an array.
    """
    derived = compiled.derived
    wanted = [derived._names.index(w) for w in derived.wrt]
    simple = all(isinstance(kind, type) or kind[0] is np.ndarray for kind in key)
    if not simple or not all(_is_array(key[i]) or key[i] in (float, np.float32, np.float64) for i in wanted):
        return slowly
    function, looks = compiled.binding
    space = {**NAMES, "derivative": function, "derived": derived, "names": derived._names, "slowly": slowly}
    space["codes"] = compiled.derivative.codes
    for i, kind in enumerate(key):
        space |= {f"dtype{i}": np.dtype(kind[1])} if _is_array(kind) else {f"type{i}": kind}
    for i, (look, thing) in enumerate(looks):
        space |= {f"look{i}": look, f"thing{i}": thing}
    tests = [t for i, kind in enumerate(key) for t in _tests(i, kind)]
    tests += [f"look{i}() is thing{i}" for i in range(len(looks))]
    written = compiled.derivative.written
    tests += [f"a{i}.flags.writeable" for i, n in enumerate(derived._names) if n in written and _is_array(key[i])]
    tests += _apart(compiled.derivative.shared_written, derived._names, key)
    fits = [t for n, i in enumerate(wanted) for t in _fits(n, i, key)]
    arguments = ", ".join(f"a{i}" for i in range(len(key)))
    text = _text(arguments, tests, fits, [key[i] for i in wanted], derived)
    return load(text, "call", space, f"call of {derived._function.__name__}")["call"]


def _is_array(kind: Any) -> bool:
    return not isinstance(kind, type)


def _tests(i: int, kind: Any) -> list[str]:
    """Is argument i of this kind?"""
    if not _is_array(kind):
        return [f"type(a{i}) is type{i}"]
    lengths = kind[2]  # 0, 1, or 2 for more
    tests = [f"a{i}.shape[{n}] {'== ' + str(length) if length < 2 else '> 1'}" for n, length in enumerate(lengths)]
    if len(lengths) > 1 and min(lengths) == 2:
        tests = [f"min(a{i}.shape) > 1"]
    return [f"type(a{i}) is ndarray", f"a{i}.dtype is dtype{i}", f"a{i}.ndim == {len(lengths)}", *tests]


def _apart(pairs: Sequence[tuple[str, str]], names: tuple[str, ...], key: tuple[Any, ...]) -> list[str]:
    """Arrays of which one is written may not be the same memory."""
    numbers = sorted({tuple(sorted((names.index(a), names.index(b)))) for a, b in pairs})
    return [f"not may_share_memory(a{i}, a{j})" for i, j in numbers if _is_array(key[i]) and _is_array(key[j])]


def _fits(n: int, i: int, key: tuple[Any, ...]) -> list[str]:
    """Is gradient n what the caller gets for argument i, in memory of its own, or a number to convert?"""
    if key[i] is float:
        return [f"(type(g{n}) is float64 or type(g{n}) is float)"]
    if not _is_array(key[i]):
        return [f"type(g{n}) is type{i}"]
    others = [f"a{j}" for j, kind in enumerate(key) if _is_array(kind)] + [f"g{m}" for m in range(n)]
    alone = [f"g{n} is not {other}" for other in others]
    return [
        f"type(g{n}) is ndarray",
        f"g{n}.dtype is dtype{i}",
        f"g{n}.shape == a{i}.shape",
        f"g{n}.base is None",
        *alone,
    ]


def _text(arguments: str, tests: list[str], fits: list[str], kinds: list[Any], derived: Any) -> str:
    gradients = [f"float(g{n})" if kind is float else f"g{n}" for n, kind in enumerate(kinds)]
    taken = "g0" if derived.single else f"[{', '.join(f'g{n}' for n in range(len(kinds)))}]"
    result = gradients[0] if derived.single else f"({', '.join(gradients)},)"
    value = "value, " if derived.mode == "value_and_grad" else ""
    return f"""\
def call({arguments}):
    if ({_all(tests, 12)}):
        try:
            {value}out = derivative({arguments})
        except Refusal as refusal:
            raise told(refusal, codes) from refusal
        {taken} = out
        if ({_all(fits, 16)}):
            return {value}{result}
        return {value}restored(out, derived, dict(zip(names, [{arguments}])))
    return slowly({arguments})
"""


def _all(tests: list[str], indent: int) -> str:
    return f"\n{' ' * indent}and ".join(tests)
