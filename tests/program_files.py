"""Test files that hold a program and, below a marker line, the text that is expected of it."""

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def files_of(folder: str) -> list[Path]:
    """The program files of a folder of tests/, those of its own folders included."""
    return sorted((HERE / folder).rglob("*.py"))


def title(path: Path) -> str:
    """What a file is called in a report: `flatten/a_swap_is_kept`."""
    return "/".join(path.relative_to(HERE).with_suffix("").parts[1:])


def load(path: Path, marker: str) -> types.ModuleType:
    """The part of a file above the marker, as a module that is made once."""
    name = f"{path.parent.name}_{path.stem}"
    if name not in sys.modules:
        head = path.read_text(encoding="utf-8").partition(marker)[0]
        module = types.ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        exec(compile(head, str(path), "exec"), module.__dict__)
    return sys.modules[name]


def program_of(module: types.ModuleType) -> Callable[..., Any]:
    """The last function of a file: its program."""
    return [value for value in vars(module).values() if isinstance(value, types.FunctionType)][-1]


def compare(path: Path, marker: str, text: str, update: bool) -> None:
    """The text is what stands below the marker; with `update` it is written there instead."""
    head, found, expected = path.read_text(encoding="utf-8").partition(marker)
    if update:
        path.write_text(head.rstrip() + "\n\n\n" + marker + text, encoding="utf-8")
        return
    assert found and expected.strip(), f"{path.name} expects nothing yet: run pytest with --update-golden"
    assert text == expected, f"{path.name} differs: run pytest with --update-golden, and read the diff"
