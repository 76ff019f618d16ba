"""A derivative as a module with imports: what libraries, the runtime and the primal's own module provide."""

import importlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import gast
import numpy as np

from pullback.compiler.emit.literals import constant
from pullback.compiler.emit.printer import printed
from pullback.compiler.frontend.code import Code, is_library
from pullback.compiler.frontend.libraries import is_library_module
from pullback.compiler.frontend.text_module import TextFunction, TextModule
from pullback.compiler.ir.walk import every_node, reads
from pullback.runtime import runtime_function

SEARCHED = (
    *("numpy", "numpy.linalg", "numpy.random", "numpy.fft", "math", "cmath", "operator", "builtins"),
    *("scipy.special", "scipy.linalg", "scipy.stats", "scipy.signal", "itertools", "functools"),
)


OWN = (  # never looked for in a library: values, and the user's functions
    *(bool, int, float, complex, str, bytes, tuple, list, dict, set, types.NoneType, np.ndarray, np.generic),
    TextFunction,
)


def linked_text(derivative: Any, codes: Sequence[Code] = ()) -> str:
    """The derivative as a module that imports what it needs, from the primal's own module too.

    codes: the primal's, for the defaults of its parameters.
    """
    tree = gast.parse(derivative.text)
    lines = {import_line(short, importlib.import_module(module)) for short, module in derivative.modules.items()}
    members: dict[str, set[str]] = {}
    for name in derivative.runtime:
        members.setdefault(runtime_function(name).__module__, set()).add(name)
    for name, (owner, original) in derivative.outside.items():
        original = owner.outermost().aliases.get(original, original)
        thing = owner.lookup(original)[1]
        line = import_line(name, thing)
        if isinstance(thing, types.ModuleType) and line:
            lines |= module_lines(name, thing, tree)
        elif line:
            lines.add(line)
        else:
            home = getattr(owner.outermost().function, "__module__", "__main__")
            members.setdefault(home, set()).add(name if name == original else f"{original} as {name}")
    lines |= {f"from {home} import {', '.join(sorted(names))}" for home, names in members.items()}
    text = derivative.text
    if codes:
        text = with_defaults(derivative, codes[0], _literal)
    head = import_block(lines)
    return f"{head}\n\n\n{text}" if head else str(text)


def _literal(value: Any) -> str:
    try:
        return constant(value.item() if isinstance(value, np.generic) else value)
    except TypeError:
        return "None"


def with_defaults(derivative: Any, code: Code, spell: Callable[[Any], str]) -> str:
    """The derivative's text with the primal's computed defaults, as values.

    def loss(w, n=2 * N)   →   def loss_grad(w, n=6, out_bar=1.0)    where it had n=None
    """
    tree = gast.parse(derivative.text)
    entry = next(f for f in tree.body if isinstance(f, gast.FunctionDef) and f.name == derivative.entry)
    own, primal, function = entry.args, code.tree.args, code.function
    count = len(primal.defaults)
    changed = False
    if len(own.defaults) >= count and function is not None:
        for i, (default, value) in enumerate(zip(primal.defaults, function.__defaults__ or ())):
            if _is_computed(default):
                own.defaults[i], changed = gast.parse(spell(value)).body[0].value, True
        for i, (parameter, default) in enumerate(zip(primal.kwonlyargs, primal.kw_defaults)):
            if default is not None and _is_computed(default):
                value = (function.__kwdefaults__ or {})[code.aliases.get(parameter.id, parameter.id)]
                own.kw_defaults[i], changed = gast.parse(spell(value)).body[0].value, True
    if not changed:
        return str(derivative.text)
    lines = derivative.text.split("\n")
    head = printed(gast.FunctionDef(entry.name, own, [gast.Pass()], [], None, None, [])).rstrip().split("\n")[:-1]
    return "\n".join([*lines[: entry.lineno - 1], *head, *lines[entry.body[0].lineno - 1 :]])


def _is_computed(default: gast.expr) -> bool:
    return bool(reads(default)) or any(isinstance(n, gast.Call) for n in every_node(default))


def import_line(name: str, thing: Any) -> str:
    """The import that binds a library's object to a name; "" if it is no library's."""
    if isinstance(thing, types.ModuleType):
        if is_user_module(thing):
            return ""
        package, _, last = thing.__name__.rpartition(".")
        if not package:
            return f"import {last}" if name == last else f"import {last} as {name}"
        return f"import {package}.{last} as {name}"
    if isinstance(thing, types.FunctionType) and not is_library(thing) or isinstance(thing, OWN):
        return ""
    home, original = _home(thing, name)
    if home is None or home.split(".")[0] == "pullback":
        return ""
    if home == "builtins":
        return "" if name == original else f"from builtins import {original} as {name}"
    return f"from {home} import {original}" if original == name else f"from {home} import {original} as {name}"


def module_lines(name: str, module: types.ModuleType, tree: gast.AST) -> set[str]:
    """The imports of a library's module and of the submodules that the tree reads of it."""
    lines = set()
    for chain in chains(tree, name):
        inner = getattr(module, chain[0], None)
        if isinstance(inner, types.ModuleType) and inner.__name__ == f"{module.__name__}.{chain[0]}":
            if module.__name__ != "numpy":  # it imports its own
                lines.add(f"import {inner.__name__}")
    if not lines or name != module.__name__:
        lines.add(import_line(name, module))
    return lines


def _home(thing: Any, name: str) -> tuple[str | None, str]:
    """The library module that holds an object, and its name there."""
    module = getattr(thing, "__module__", None)
    for home in [*(m for m in SEARCHED if m in sys.modules), *([module] if isinstance(module, str) else [])]:
        holder = sys.modules.get(home)
        if holder is None or not is_library_module(holder):
            continue
        for original in (getattr(thing, "__name__", name), name):
            if getattr(holder, original, None) is thing or _equal_method(getattr(holder, original, None), thing):
                return home, original
    return None, name


def _equal_method(a: Any, b: Any) -> bool:
    return isinstance(a, types.BuiltinFunctionType) and isinstance(b, types.BuiltinFunctionType) and a == b


def import_block(lines: Iterable[str]) -> str:
    """`__future__`, then the standard library, then the rest; `import` before `from`."""
    groups: dict[int, list[str]] = {}
    for line in sorted(lines, key=lambda i: (i.startswith("from"), i)):
        top = line.split()[1].split(".")[0]
        groups.setdefault(0 if top == "__future__" else 1 if top in sys.stdlib_module_names else 2, []).append(line)
    return "\n\n".join("\n".join(groups[g]) for g in sorted(groups))


def is_user_module(thing: Any) -> bool:
    """Is it a module that no library brings?"""
    return isinstance(thing, TextModule) or isinstance(thing, types.ModuleType) and not is_library_module(thing)


def chains(tree: gast.AST, name: str) -> Iterator[tuple[str, ...]]:
    """("sub", "area") for each `name.sub.area` in the tree."""
    for node in every_node(tree):
        chain: list[str] = []
        while isinstance(node, gast.Attribute):
            chain.insert(0, node.attr)
            node = node.value
        if chain and isinstance(node, gast.Name) and node.id == name:
            yield tuple(chain)
