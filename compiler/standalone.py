"""One module that holds a derivative and all that it needs: runtime functions, helpers and constants copied in.

derivative text: x_bar = unbroadcast(SCALE * y_bar, np.shape(x))
→  import numpy as np,  SCALE = 0.5,  the source of unbroadcast,  the derivative
"""

import ast
import collections
import dataclasses
import enum
import importlib
import inspect
import itertools
import logging
import math
import sys
import textwrap
import types
from collections.abc import Mapping, Sequence
from typing import Any

import gast
import numpy as np

from pullback.compiler.emit.literals import constant
from pullback.compiler.emit.printer import printed
from pullback.compiler.errors import ArgumentError, Diagnostic
from pullback.compiler.frontend.code import OURS, Code
from pullback.compiler.frontend.source import find_source
from pullback.compiler.frontend.text_module import ModuleText, TextFunction
from pullback.compiler.imports import chains, import_block, import_line, is_user_module, module_lines, with_defaults
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.walk import assigned, every_node, free_variables, names_in, parameters
from pullback.runtime import runtime_function

Origin = tuple[ast.expr, ModuleText] | None

LARGEST = 10_000  # entries of an array that is written out


def standalone_text(derivative: Any, codes: Sequence[Code] = ()) -> str:
    """The derivative as a module that runs where pullback is not installed.

    codes: the primal's, for the module's docstring. Globals of the primal are written as they are now.
    Raises ArgumentError, naming every one, if some cannot be written as text.
    """
    bundle = Bundle(derivative)
    return bundle.text(codes[0] if codes else None)


class Bundle:
    """Definitions and imports, each under the one name that the text reads it by."""

    def __init__(self, derivative: Any) -> None:
        self.derivative = derivative
        self.tree = gast.parse(derivative.text)
        own = [f.name for f in self.tree.body if isinstance(f, gast.FunctionDef)]
        used = names_in(self.tree)
        self.names = Names([*own, *used])
        self.imports: set[str] = set()
        self.parts: list[tuple[bool, str]] = []  # (is it a constant?, its text), each after what it needs
        self.runtime: list[str] = []
        self.held: dict[str, Any] = {}  # name → object
        self.waiting: dict[str, Origin] = {}  # names of the derivative that are yet to be provided
        self.modules: dict[str, set[tuple[str, ...]]] = {}  # the user's own, with what is read of them
        self.problems: list[Diagnostic] = []

    def text(self, code: Code | None) -> str:
        d = self.derivative
        for short, module in d.modules.items():
            self.held[short] = importlib.import_module(module)
        self.held |= {name: runtime_function(name) for name in d.runtime}
        self.waiting |= dict.fromkeys(d.runtime)
        for name, (owner, original) in d.outside.items():
            outer = owner.outermost()
            self.held[name] = owner.lookup(original)[1]
            self.waiting[name] = _origin(outer.function.__globals__, outer.aliases.get(original, original))
        for name in list(self.held):
            self._provide(name, self.tree)
        text = d.text if code is None else with_defaults(d, code, self._default)
        for name in self.modules:
            self.parts.append((False, f"{name} = {self._namespace(self.held[name], self.modules[name])}"))
        if self.problems:
            raise ArgumentError(*self.problems)
        head = [self._docstring(code), import_block(self.imports)]
        blocks: list[str] = []
        for constants, group in itertools.groupby(self.parts, lambda part: part[0]):
            texts = [text for _, text in group]
            blocks += ["\n".join(texts)] if constants else texts
        return (
            "\n\n".join(h for h in head if h) + "\n\n\n" + "\n\n\n".join([*blocks, *self.runtime, text.strip()]) + "\n"
        )

    def _docstring(self, code: Code | None) -> str:
        entry = next(f for f in self.tree.body if isinstance(f, gast.FunctionDef) and f.name == self.derivative.entry)
        first = entry.body[0]
        said = first.value.value if isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant) else ""
        if not isinstance(said, str) or not said:
            said = f"Derivative of {code.name}." if code is not None else "A derivative."
        needs = sorted({line.split()[1].split(".")[0] for line in self.imports} - set(sys.stdlib_module_names))
        spelled = {"numpy": "NumPy", "scipy": "SciPy", "numba": "Numba"}
        listed = " and ".join(spelled.get(n, n) for n in needs) or "Python"
        return f'"""{said}\n\nWritten by pullback; it needs {listed}{"" if len(needs) > 1 else " alone"}.\n"""'

    # -- one name -----------------------------------------------------------------------------

    def need(self, wish: str, thing: Any, tree: gast.AST, origin: Origin = None) -> str:
        """Make an object available; the name it got, which is another one if `wish` is taken.

        tree: what reads it. origin: the expression that it was computed from, and the text it stands in.
        """
        name = wish
        if wish not in self.held or not _same(self.held[wish], thing):
            plain = isinstance(thing, int | float | complex | str | bytes | tuple | types.NoneType)
            same = [] if plain else [n for n, other in self.held.items() if other is thing]
            name = same[0] if same else self.names.fresh(wish)
        if name not in self.held:
            self.held[name] = thing
            self.waiting[name] = origin
        self._provide(name, tree)
        if name in self.modules:
            self.modules[name].update(chains(tree, wish))
        return name

    def _provide(self, name: str, tree: gast.AST) -> None:
        """Import or define what a name stands for, once."""
        thing = self.held[name]
        if isinstance(thing, types.ModuleType) and not is_user_module(thing):
            self.imports |= module_lines(name, thing, tree)
            self.waiting.pop(name, None)
        if name not in self.waiting:
            return
        origin = self.waiting.pop(name)
        line = import_line(name, thing)
        if is_user_module(thing):
            self.modules[name] = set(chains(tree, name))
        elif line:
            self.imports.add(line)
        elif isinstance(thing, types.FunctionType | TextFunction):
            self._function(name, thing)
        elif isinstance(thing, type) and (not thing.__module__.startswith("pullback.compiler") or _is_text(thing)):
            self._class(name, thing)
        else:
            try:
                text = f"{name} = {self._computed(*origin) if origin else self._literal(thing)}"
                self.parts.append((True, text))
            except TypeError as error:
                self._refuse(f"`{name}`", error)

    def _function(self, name: str, thing: Any) -> None:
        if thing.__module__.startswith("pullback.") and isinstance(thing, types.FunctionType):
            text = textwrap.dedent(inspect.getsource(thing))
            tree = gast.parse(text).body[0]
        else:
            source = thing.source if isinstance(thing, TextFunction) else find_source(thing)
            tree = source.tree
            text = _own_text(source)
        assert isinstance(tree, gast.FunctionDef)
        renames = {} if tree.name == name else {tree.name: name}
        renames |= self._free(free_variables(tree) - {tree.name}, _space(thing), tree)
        if _annotated(tree):
            self.imports.add("from __future__ import annotations")
        self._place(thing, _renamed(text, renames) if renames else text)

    def _place(self, thing: Any, text: str) -> None:
        if thing.__module__.startswith("pullback.runtime"):
            self.runtime.append(text.strip())
        else:
            self.parts.append((False, text.strip()))

    def _class(self, name: str, thing: type) -> None:
        text = textwrap.dedent(inspect.getsource(thing))
        tree = gast.parse(text).body[0]
        names = {n.id for n in every_node(tree) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)}
        inside = {n.id for n in every_node(tree) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}
        renames = {} if tree.name == name else {tree.name: name}
        module = vars(sys.modules[thing.__module__])
        renames |= self._free(names - inside - {thing.__name__}, module, tree)
        self._place(thing, _renamed(text, renames) if renames else text)

    def _free(self, names: set[str], space: Mapping[str, Any], tree: gast.AST) -> dict[str, str]:
        """Provide the free names of a definition; those that need another name there."""
        renames = {}
        for free in sorted(names):
            if free not in space or free.startswith("__"):  # a builtin, or the module's own
                continue
            inner = space[free]
            got = self.need(free, inner, tree, _origin(space, free))
            if got != free:
                renames[free] = got
        return renames

    def _namespace(self, module: Any, chains: set[tuple[str, ...]]) -> str:
        """SimpleNamespace(area=area): the part of a user's module that the text reads."""
        self.imports.add("from types import SimpleNamespace")
        fields = []
        for first in sorted({c[0] for c in chains if c}):
            try:
                inner = getattr(module, first)
            except AttributeError:
                continue
            if is_user_module(inner):
                value = self._namespace(inner, {c[1:] for c in chains if c and c[0] == first})
            else:
                value = self.need(first, inner, self.tree)
            fields.append(f"{first}={value}")
        return f"SimpleNamespace({', '.join(fields)})"

    def _computed(self, node: ast.expr, module: ModuleText) -> str:
        """The expression of a constant, what it names provided."""
        text = printed(gast.ast_to_gast(node)).strip()
        tree = gast.parse(f"value = {text}")
        names = names_in(tree.body[0].value)
        renames = self._free(names, module, tree)
        return _renamed(f"value = {text}", renames).partition("= ")[2].strip() if renames else text

    def _default(self, value: Any) -> str:
        try:
            return self._literal(value)
        except TypeError as error:
            self._refuse("a default", error)
            return "None"

    def _refuse(self, what: str, error: TypeError) -> None:
        problem = f"{what} cannot be written into a standalone module: {error}"
        advice = "pass it as an argument, or save the derivative without `standalone`"
        self.problems.append(Diagnostic("standalone", problem, advice=advice))

    # -- literals -----------------------------------------------------------------------------

    def _literal(self, thing: Any) -> str:
        """The text of a value; TypeError if it has none."""
        if isinstance(thing, np.ndarray):
            return self._array(thing)
        if isinstance(thing, np.generic | np.dtype):
            numpy = self.need("np", np, self.tree)
            inner = constant(thing.item()) if isinstance(thing, np.generic) else repr(thing.str)
            return f"{numpy}.{thing.dtype.name if isinstance(thing, np.generic) else 'dtype'}({inner})"
        if type(thing) is list:
            return f"[{', '.join(map(self._literal, thing))}]"
        if type(thing) is tuple:
            return f"({', '.join(map(self._literal, thing))}{',' if len(thing) == 1 else ''})"
        if type(thing) is dict:
            return f"{{{', '.join(f'{self._literal(k)}: {self._literal(v)}' for k, v in thing.items())}}}"
        if type(thing) in (set, frozenset):
            items = f"[{', '.join(sorted(map(self._literal, thing)))}]"
            return f"{type(thing).__name__}({items})"
        if type(thing) is range:
            return repr(thing)
        if isinstance(thing, tuple) and hasattr(thing, "_fields"):
            name = self.need(type(thing).__name__, type(thing), self.tree)
            return f"{name}({', '.join(map(self._literal, thing))})"
        if isinstance(thing, types.FunctionType | TextFunction | np.ufunc | types.BuiltinFunctionType):
            return self.need(thing.__name__, thing, self.tree)
        if isinstance(thing, logging.Logger):
            return f"{self.need('logging', logging, self.tree)}.getLogger({thing.name!r})"
        if isinstance(thing, enum.Enum):
            return f"{self.need(type(thing).__name__, type(thing), self.tree)}.{thing.name}"
        if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
            name = self.need(type(thing).__name__, type(thing), self.tree)
            given = [f.name for f in dataclasses.fields(thing) if f.init]
            return f"{name}({', '.join(f'{n}={self._literal(getattr(thing, n))}' for n in given)})"
        if thing is None or type(thing) in (bool, int, float, complex, str, bytes):
            return constant(thing)
        raise TypeError(f"its value is a {type(thing).__name__}, made when the program ran")

    def _array(self, thing: np.ndarray) -> str:
        if thing.size > LARGEST:
            raise TypeError(f"it is an array of {thing.size} entries")
        if thing.dtype.kind not in "biufc" or type(thing) is not np.ndarray:
            raise TypeError(f"it is a {type(thing).__name__} of dtype {thing.dtype}")
        numpy = self.need("np", np, self.tree)
        dtype = "" if thing.dtype.name in ("float64", "bool") and thing.size else f", dtype={numpy}.{thing.dtype.name}"
        shaped = f".reshape{thing.shape}" if not thing.size else ""
        return f"{numpy}.array({self._literal(thing.tolist())}{dtype}){shaped}"


# ------------------------------------------------------------------------------------------ texts


def _origin(space: Any, name: str) -> Origin:
    """The expression that a global of a text was computed from."""
    node = space.origin(name) if isinstance(space, ModuleText) else None
    return (node, space) if node is not None else None


def _space(function: Any) -> Mapping[str, Any]:
    """Where a function looks its free names up: closure cells, then globals."""
    cells = {
        name: cell.cell_contents
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ())
        if cell != types.CellType()
    }
    return collections.ChainMap(cells, function.__globals__) if cells else function.__globals__


def _is_text(thing: type) -> bool:
    """Is it a class of those that stand for Python's own iterators?"""
    return getattr(sys.modules[thing.__module__], "__file__", "") in OURS and hasattr(sys.modules[thing.__module__], thing.__name__)


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    plain = (int, float, str, bool, complex, bytes, type(None))
    return (
        type(a) is type(b)
        and type(a) in plain
        and (a == b or math.isnan(a) and math.isnan(b) if isinstance(a, float) else a == b)
    )


def _own_text(source: Any) -> str:
    """The lines of a definition, without decorators; a lambda as a function."""
    tree = source.tree
    first = source.lines[tree.lineno - 1].lstrip() if tree.lineno <= len(source.lines) else ""
    if not first.startswith("def "):
        return printed(tree)
    return textwrap.dedent("\n".join(source.lines[tree.lineno - 1 : tree.end_lineno]))


def _annotated(tree: gast.FunctionDef) -> bool:
    """Annotations are evaluated where a function is defined, and name what is not there."""
    return any(
        isinstance(n, gast.FunctionDef)
        and n.returns is not None
        or isinstance(n, gast.Name)
        and n.annotation is not None
        for n in every_node(tree)
    )


def _renamed(text: str, renames: dict[str, str]) -> str:
    """The text with its free names renamed, and the definition itself."""
    tree = gast.parse(text)
    top = tree.body[0]
    if getattr(top, "name", None) in renames:
        top.name = renames[top.name]
    _rename(top, renames)
    return printed(tree)


def _rename(node: gast.AST, renames: dict[str, str]) -> None:
    if isinstance(node, gast.Name):
        node.id = renames.get(node.id, node.id)
    if isinstance(node, gast.FunctionDef | gast.Lambda):
        a = node.args
        for outer in [*a.defaults, *a.kw_defaults, *getattr(node, "decorator_list", [])]:
            if outer is not None:
                _rename(outer, renames)
        body = node.body if isinstance(node.body, list) else [node.body]
        own = {*parameters(node), *(n for s in body for n in assigned(s))}
        inner = {old: new for old, new in renames.items() if old not in own}
        for statement in body:
            _rename(statement, inner)
        return
    for child in gast.iter_child_nodes(node):
        _rename(child, renames)
