"""A folder of the compiler imports only from itself and from what comes before it in reading order."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

READING_ORDER = (
    "errors",
    "refusals",
    "ir",
    "rules",
    "emit",
    "frontend",
    "analysis",
    "normalise",
    "adjoint",
    "optimise",
    "stages",
    "pipeline",
    "imports",
    "standalone",
    "tangent",
    "arguments",
    "forms",
    "sharing",
    "dispatch",
    "nesting",
    "api",
    "pullback",
    "jvp",
    "like",
    "cli",
)

COMPILER_FILES = sorted((ROOT / "compiler").rglob("*.py"))
RUNTIME_FILES = sorted((ROOT / "runtime").rglob("*.py"))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything that a file imports from pullback."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute here"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "pullback":
                yield node.lineno, name


def layer(path: Path) -> str:
    """The entry of READING_ORDER that a file of compiler/ belongs to."""
    first = path.relative_to(ROOT / "compiler").parts[0]
    return first.removesuffix(".py")


@pytest.mark.parametrize("path", COMPILER_FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_backwards(path: Path) -> None:
    here = layer(path)
    if here == "__init__":
        assert not list(imported(path)), "compiler/__init__.py is the tour, and imports nothing"
        return
    assert here in READING_ORDER, f"{here} has no place in READING_ORDER"
    allowed = READING_ORDER[: READING_ORDER.index(here) + 1]
    for line, name in imported(path):
        package, *rest = name.split(".")[1:]
        if package == "runtime":
            continue
        assert package == "compiler" and rest, f"{path}:{line}: imports {name}"
        assert rest[0] in allowed, f"{path}:{line}: {here} comes before {rest[0]}"


@pytest.mark.parametrize("path", RUNTIME_FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_runtime_knows_nothing_of_the_compiler(path: Path) -> None:
    for line, name in imported(path):
        assert name.split(".")[1] == "runtime", f"{path}:{line}: imports {name}"
