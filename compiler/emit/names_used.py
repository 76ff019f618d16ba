"""What generated text needs from outside: modules, runtime functions, names of the primal's world."""

import builtins
import types
from collections.abc import Sequence
from typing import Any

import gast

from pullback.compiler.ir.walk import assigned, parameters, reads
from pullback.compiler.rules.language import registered
from pullback.runtime import runtime_function

MODULES = {
    "np": "numpy",
    "math": "math",
    "operator": "operator",
    "special": "scipy.special",
    "linalg": "scipy.linalg",
    "builtins": "builtins",
}


def _rule_modules() -> dict[str, str]:
    """The modules that rule files import: a rule's text may name them."""
    spaces = {id(rule.function.__globals__): rule.function.__globals__ for rule in registered()}
    return {
        short: thing.__name__
        for space in spaces.values()
        for short, thing in space.items()
        if isinstance(thing, types.ModuleType) and not short.startswith("_") and short not in ("sys", "importlib")
    }


def needed_names(derivative: Any, codes: list[Any], functions: Sequence[gast.FunctionDef]) -> None:
    """Sort the free names of the functions of the text into modules, runtime functions and names of the primal."""
    own = {f.name for f in functions}
    rule_modules = _rule_modules()
    free: set[str] = set()
    for function in functions:
        bound = set(parameters(function)) | {n for s in function.body for n in assigned(s)}
        free |= {n for s in function.body for n in reads(s)} - bound
    runtime = []
    for name in sorted(free - own):
        if runtime_function(name) is not None:
            runtime.append(name)
        elif name in MODULES:
            derivative.modules[name] = MODULES[name]
        elif name in rule_modules:
            derivative.modules[name] = rule_modules[name]
        else:
            # One that does not write the name itself may see another object under it.
            for code in sorted(codes, key=lambda c: name not in c.names.taken):
                found, thing = code.lookup(name)
                if found:
                    if getattr(builtins, name, derivative) is not thing:
                        derivative.outside[name] = (code, name)
                    break
    derivative.runtime = tuple(runtime)
