"""What generated text needs from outside: modules, runtime functions, names of the primal's world."""

import builtins
import types
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
    return {
        short: thing.__name__
        for rule in registered()
        for short, thing in rule.function.__globals__.items()
        if isinstance(thing, types.ModuleType) and not short.startswith("_") and short not in ("sys", "importlib")
    }


def needed_names(derivative: Any, codes: list[Any]) -> None:
    """Sort the free names of the text into modules, runtime functions and names of the primal."""
    tree = gast.parse(derivative.text)
    own = {f.name for f in tree.body if isinstance(f, gast.FunctionDef)}
    free: set[str] = set()
    for function in tree.body:
        assert isinstance(function, gast.FunctionDef)
        bound = set(parameters(function)) | {n for s in function.body for n in assigned(s)}
        free |= {n for s in function.body for n in reads(s)} - bound
    runtime = []
    for name in sorted(free - own):
        if runtime_function(name) is not None:
            runtime.append(name)
        elif name in MODULES:
            derivative.modules[name] = MODULES[name]
        elif name in _rule_modules():
            derivative.modules[name] = _rule_modules()[name]
        else:
            for code in codes:
                found, thing = code.lookup(name)
                if found:
                    if getattr(builtins, name, derivative) is not thing:
                        derivative.outside[name] = (code, name)
                    break
    derivative.runtime = tuple(runtime)
