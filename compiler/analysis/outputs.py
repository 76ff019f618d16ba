"""The argument that a NumPy call writes its result into: `out`, by keyword or by position."""

import functools
import inspect
from typing import Any

import gast
import numpy as np

# In the order of their positional parameters, for those that tell no signature in every NumPy.
BUILTIN: dict[str, tuple[str, ...]] = {
    "dot": ("a", "b", "out"),
    "concatenate": ("arrays", "axis", "out"),
    "reduce": ("array", "axis", "dtype", "out", "keepdims", "initial", "where"),
    "accumulate": ("array", "axis", "dtype", "out"),
}


def split_output(node: gast.Call, function: Any, bound: bool = False) -> tuple[gast.expr | None, gast.Call]:
    """np.add(a, b, c) → c, np.add(a, b). `bound`: the call of a method, whose array is the first argument."""
    outputs = [k.value for k in node.keywords if k.arg == "out"]
    names = _parameters(function) if _is_library(function) else ()
    place = names.index("out") - bound if "out" in names else len(node.args)
    if not outputs and (place >= len(node.args) or any(isinstance(a, gast.Starred) for a in node.args)):
        return None, node
    keywords = [k for k in node.keywords if k.arg != "out"]
    if not outputs:
        count = function.nout if isinstance(function, np.ufunc) else 1
        outputs = node.args[place : place + count]
        behind = zip(names[place + bound + 1 :], node.args[place + count :])
        keywords = [*(gast.keyword(n, a) for n, a in behind), *keywords]
    return _output(outputs), gast.copy_location(gast.Call(node.func, node.args[:place], keywords), node)


def most_operands(function: Any) -> int | None:
    """How many arguments by position leave `out` alone."""
    names = _parameters(function) if _is_library(function) else ()
    return names.index("out") if "out" in names else None


def _output(outputs: list[gast.expr]) -> gast.expr | None:
    """What is written: out=(c,) means c, and out=None nothing."""
    output = outputs[0] if len(outputs) == 1 else gast.Tuple(outputs, gast.Load())
    if isinstance(output, gast.Tuple) and len(output.elts) == 1:
        output = output.elts[0]
    return None if isinstance(output, gast.Constant) and output.value is None else output


def _is_library(function: Any) -> bool:
    owner = getattr(function, "__self__", None)
    if isinstance(function, np.ufunc) or isinstance(owner, np.ufunc):
        return True
    return (getattr(function, "__module__", None) or "").split(".")[0] in ("numpy", "scipy")


@functools.cache
def _parameters(function: Any) -> tuple[str, ...]:
    """The names of the parameters that can be given by position."""
    if isinstance(function, np.ufunc):
        return (*(f"x{i}" for i in range(function.nin)), "out")
    known = BUILTIN.get(getattr(function, "__name__", ""))
    if known is not None:
        return known
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a builtin that does not tell
        return ()
    return tuple(p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD))
