"""A file read as a module without running it: its functions as text, its constants evaluated, its imports found.

SCALE = 2.0 * np.pi              → 6.283185307179586
def helper(x): ...               → TextFunction("helper")
from .shapes import area         → the TextFunction `area` of shapes.py
import numpy as np               → the real numpy
TABLE = np.loadtxt("table.txt")  → Unknown: only running the file tells
"""

import ast
import importlib
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pullback.compiler.errors import Diagnostic, Span
from pullback.compiler.frontend.definitions import Definition, Definitions, definitions_in
from pullback.compiler.frontend.libraries import library
from pullback.compiler.frontend.source import Source, source_of


class Unknown:
    """What a name holds only when the file runs."""

    __slots__ = ("node", "why")

    def __init__(self, node: ast.AST | None, why: str) -> None:
        self.node = node
        self.why = why


class TextFunction:
    """A function known by its text alone; it has the attributes of a function that analyses read."""

    def __init__(self, name: str, node: Definition, module: "ModuleText") -> None:
        self.__name__ = self.__qualname__ = name
        self.node = node
        self.module = module
        self.__module__ = module.dotted
        self.__globals__ = module
        self.__closure__ = None
        self.__code__ = types.SimpleNamespace(co_freevars=(), co_filename=f"<text of {module.file}>")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"{self.__name__} of {self.module.file} was read as text, and does not run")

    @cached_property
    def source(self) -> Source:
        """The function's text; raises DerivativeError for a generator or coroutine."""
        source = source_of(self.node, self.module.definitions, self.module.file, generators=True)
        return (
            source
            if isinstance(self.node, ast.FunctionDef)
            else Source(self.__name__, source.file, source.line, source.lines, source.tree)
        )

    @property
    def __defaults__(self) -> tuple[Any, ...]:
        return tuple(self.module.evaluated(d, f"a default of `{self.__name__}`") for d in self.node.args.defaults)

    @property
    def __kwdefaults__(self) -> dict[str, Any]:
        a = self.node.args
        return {
            p.arg: self.module.evaluated(d, f"a default of `{self.__name__}`")
            for p, d in zip(a.kwonlyargs, a.kw_defaults)
            if d is not None
        }


@dataclass
class Import:
    """A name that an import binds: found when it is first read."""

    module: str
    attribute: str | None
    level: int
    node: ast.AST
    first: bool = False  # `import a.b` binds a


class TextModule(types.ModuleType):
    """What `import helpers` binds if helpers.py is read as text."""

    def __init__(self, text: "ModuleText") -> None:
        super().__init__(text.name)
        self.__file__ = text.file
        self.__text__ = text

    def __getattr__(self, name: str) -> Any:
        text: ModuleText = self.__dict__["__text__"]
        if name in text:
            return text[name]
        try:
            return text.submodule(name)
        except ImportError:
            raise AttributeError(name) from None


@dataclass(eq=False)
class ModuleText(Mapping[str, Any]):
    """The global names of a file; `missed` are those read so far that only running it can tell."""

    path: Path
    file: str  # as the user knows it
    name: str
    text: str
    known: dict[Path, "ModuleText"] = field(default_factory=dict)
    missed: dict[tuple[str, str], Diagnostic] = field(default_factory=dict)
    origins: dict[str, ast.expr] = field(default_factory=dict)  # what constants were computed from

    @cached_property
    def definitions(self) -> Definitions:
        return definitions_in(self.text)

    @cached_property
    def facade(self) -> TextModule:
        return TextModule(self)

    @cached_property
    def bindings(self) -> dict[str, Any]:
        """What each global name is bound to once the file was read to its end."""
        from pullback.compiler.frontend.text_run import Run

        values: dict[str, Any] = {"__name__": self.dotted}
        self.__dict__["bindings"] = values  # for modules that import each other
        Run(self, values).block(self.definitions.tree.body)
        return values

    def __contains__(self, name: object) -> bool:
        return name in self.bindings

    def __iter__(self) -> Any:
        return iter(self.bindings)

    def __len__(self) -> int:
        return len(self.bindings)

    def __getitem__(self, name: str) -> Any:
        thing = self.forced(self.bindings, name)
        if isinstance(thing, Unknown):
            self.miss(name, thing)
        return thing

    def forced(self, values: dict[str, Any], name: str) -> Any:
        """The object of a name, its import carried out."""
        thing = values[name]
        if isinstance(thing, Import):
            try:
                thing = self.imported(thing.module, thing.attribute, thing.level, thing.first)
            except SyntaxError:
                thing = Unknown(thing.node, f"`{thing.module}` is not valid Python")
            except Exception as error:  # a library may raise anything when it is imported
                thing = Unknown(thing.node, f"its import fails: {error}")
            values[name] = thing
        return thing

    def evaluated(self, node: ast.expr, what: str) -> Any:
        """The value of an expression at the end of the file, or Unknown, which is then missed."""
        from pullback.compiler.frontend.safe_evaluation import Evaluator, NotKnown  # imports numpy.random

        try:
            return Evaluator(self._constant).value(node)
        except NotKnown:
            unknown = Unknown(node, "")
            self.miss(what, unknown)
            return unknown

    def origin(self, name: str) -> ast.expr | None:
        """The expression that a constant was computed from, if it still gives the same."""
        node = self.origins.get(name)
        if node is None:
            return None
        from pullback.compiler.frontend.safe_evaluation import Evaluator, NotKnown

        then = self.bindings[name]
        try:
            now = Evaluator(self._constant).value(node)
            same = np.array_equal(now, then) if isinstance(then, np.ndarray) else repr(now) == repr(then)
            return node if type(now) is type(then) and same else None
        except (NotKnown, ValueError, TypeError):
            return None

    def _constant(self, name: str) -> Any:
        thing = self.forced(self.bindings, name)
        if isinstance(thing, Unknown):
            from pullback.compiler.frontend.safe_evaluation import NotKnown

            raise NotKnown
        return thing

    def miss(self, name: str, unknown: Unknown) -> None:
        """Note that something was read whose value is not to be had from the text."""
        what = f"the value of `{name}`" if name.isidentifier() else name
        lines = self.definitions.lines
        node = unknown.node
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end = getattr(node, "end_col_offset", 0) if getattr(node, "end_lineno", line) == line else 0
        why = f"{unknown.why[:1].upper()}{unknown.why[1:]}. " if unknown.why else ""
        self.missed[self.file, name] = Diagnostic(
            "run-time",
            f"{what} exists only when the file runs",
            Span(self.file, line, column, end, lines),
            f"{why}The file is read as text, not run.",
            "use --import, which imports the file, or write the value as a literal",
        )

    @cached_property
    def dotted(self) -> str:
        """The name it has where it is imported from its top package."""
        _, root = self._folders
        parts = self.path.with_suffix("").relative_to(root).parts
        return ".".join(p for p in parts if p != "__init__")

    # -- imports ------------------------------------------------------------------------------

    @cached_property
    def _folders(self) -> tuple[Path, Path]:
        """The folder that relative imports start from, and the one that holds the top package."""
        here = self.path if self.path.is_dir() else self.path.parent
        root = here
        while (root / "__init__.py").is_file():
            root = root.parent
        return here, root

    def imported(self, module: str, attribute: str | None, level: int, first: bool = False) -> Any:
        """The object that an import binds: from a file read as text, or from a library."""
        here, root = self._folders
        for _ in range(level - 1):
            here = here.parent
        if level and not module:
            found: Any = self.read(here)
        else:
            found = self._found(here if level else root, module.split("."), bool(level), first)
        if attribute is None:
            return found
        if not hasattr(found, attribute) and not isinstance(found, TextModule):
            importlib.import_module(f"{found.__name__}.{attribute}")
        try:
            return getattr(found, attribute)
        except AttributeError:
            raise ImportError(f"`{found.__name__}` has no `{attribute}`") from None

    def _found(self, folder: Path, parts: list[str], relative: bool, first_only: bool) -> Any:
        """The module `a.b.c`; with `first_only`, what `import a.b.c` binds: `a`."""
        if self._file_of(folder, parts[0]) is None:
            name = ".".join(parts)
            if relative:
                raise ImportError(f"there is no `{name}` in {folder}")
            found = library(name)
            if not isinstance(found, str):
                return sys.modules[parts[0]] if first_only else found
            place = Path(found)
            folder = place.parent.parent if place.name == "__init__.py" else place.parent
        module = self.read(folder / parts[0])
        inner = module
        for part in parts[1:]:
            inner = inner.__text__.submodule(part)
        return module if first_only else inner

    @staticmethod
    def _file_of(folder: Path, name: str) -> Path | None:
        for path in (folder / name / "__init__.py", folder / f"{name}.py"):
            if path.is_file():
                return path
        return folder / name if any((folder / name).glob("*.py")) else None

    def submodule(self, name: str) -> TextModule:
        """A module of this package, read as text."""
        if not (self.path.is_dir() or self.path.name == "__init__.py"):
            raise ImportError(name)
        return self.read(self._folders[0] / name)

    def read(self, place: Path) -> TextModule:
        """The module `place`.py, or the package in the folder `place`."""
        path = self._file_of(place.parent, place.name)
        if path is None:
            raise ImportError(f"there is no `{place.name}` in {place.parent}")
        if path not in self.known:
            text = cleaned(path.read_text(encoding="utf-8")) if path.is_file() else ""
            self.known[path] = ModuleText(path, shown(path), place.name, text, self.known, self.missed)
        return self.known[path].facade


def read_module(path: Path, file: str, text: str) -> ModuleText:
    """The file at `path` as a module; `file` is what messages call it."""
    module = ModuleText(path, file, path.stem, cleaned(text))
    module.known[path] = module
    return module


def shown(path: Path) -> str:
    """A path as its user knows it: relative if below the current folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def cleaned(text: str) -> str:
    """A file's text as Python reads it."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
