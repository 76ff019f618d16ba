"""Test files that hold a program and, below a marker line, the text that is expected of it."""

import inspect
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pullback.compiler.analysis.program import Program
from pullback.compiler.analysis.values import Value
from pullback.compiler.frontend.code import Code, code_from_source
from pullback.compiler.frontend.source import find_source

HERE = Path(__file__).resolve().parent


def files_of(folder: str) -> list[Path]:
    """The program files of a folder of tests/, those of its own folders included."""
    return sorted((HERE / folder).rglob("*.py"))


def title(path: Path) -> str:
    """What a file is called in a report: `flatten/a_swap_is_kept`."""
    return "/".join(path.relative_to(HERE).with_suffix("").parts[1:])


def load(path: Path, marker: str = "") -> types.ModuleType:
    """A file, or the part of it above the marker, as a module that is made once."""
    name = f"{path.parent.name}_{path.stem}"
    if name not in sys.modules:
        text = path.read_text(encoding="utf-8")
        head = text.partition(marker)[0] if marker else text
        module = types.ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        exec(compile(head, str(path), "exec"), module.__dict__)
    return sys.modules[name]


def program_of(module: types.ModuleType) -> Callable[..., Any]:
    """The last function of a file: its program."""
    return [value for value in vars(module).values() if isinstance(value, types.FunctionType)][-1]


def code_of(function: Callable[..., Any]) -> Code:
    """A function's text with one exit, as passes and analyses take it."""
    return code_from_source(find_source(function), function)


def types_in(module: types.ModuleType, function: Callable[..., Any]) -> Callable[[Program], dict[str, Value]]:
    """The types of the arguments, the first active, or those that WRT names."""
    bound = inspect.signature(function).bind(*module.ARGS)
    wrt = getattr(module, "WRT", list(bound.arguments)[:1])
    return lambda program: {n: program.value_of(v, n, n in wrt) for n, v in bound.arguments.items()}


def compare(path: Path, marker: str, text: str, update: bool) -> None:
    """The text is what stands below the marker; with `update` it is written there instead."""
    head, found, expected = path.read_text(encoding="utf-8").partition(marker)
    if update:
        path.write_text(head.rstrip() + "\n\n\n" + marker + text, encoding="utf-8")
        return
    assert found and expected.strip(), f"{path.name} expects nothing yet: run pytest with --update-golden"
    assert text == expected, f"{path.name} differs: run pytest with --update-golden, and read the diff"
