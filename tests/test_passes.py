"""Every rewriting pass on small programs, one behaviour a file: passes/<pass>/<behaviour>.py.

A file holds a program, and below a marker line what the pass makes of it. `ARGS` is what both are called
with (`MORE_ARGS`: further calls): they must return the same, raise the same and leave their arguments
the same. `RAISES` names exceptions that the program is meant to raise.
"""

import copy
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import numpy as np
import pytest
from program_files import code_of, compare, files_of, load, program_of, title, types_in

from pullback.compiler.analysis.program import Program
from pullback.compiler.frontend.managers import without_suppress
from pullback.compiler.frontend.matching import without_match
from pullback.compiler.frontend.source import find_source
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.nodes import Comment
from pullback.compiler.ir.walk import pattern_names
from pullback.compiler.optimise.dead import without_dead_code
from pullback.compiler.optimise.substitute import without_single_uses
from pullback.compiler.pipeline import analysed, prepared
from pullback.compiler.stages import functions_of, stage_text
from pullback.runtime import RUNTIME_NAMES, runtime_function

MARKER = "# --- after ---\n"
FILES = files_of("passes")

each_file = pytest.mark.parametrize("path", FILES, ids=title)


# ------------------------------------------------------------------------------------------ one pass each


def matching(module: types.ModuleType, function: Callable[..., Any]) -> str:
    tree = find_source(function).tree
    names = Names({n.id for n in gast.walk(tree) if isinstance(n, gast.Name)} | pattern_names(tree))
    without_match(tree, names, lambda name: code_of(function).lookup(name)[1])
    return stage_text([tree])


def managers(module: types.ModuleType, function: Callable[..., Any]) -> str:
    tree = find_source(function).tree
    without_suppress(tree, lambda name: code_of(function).lookup(name)[1])
    return stage_text([tree])


def exits(module: types.ModuleType, function: Callable[..., Any]) -> str:
    return stage_text([code_of(function).tree])


def shown(module: types.ModuleType, function: Callable[..., Any]) -> dict[str, str]:
    """The program after each stage up to `expose`."""
    texts: dict[str, str] = {}
    prepared(code_of(function), types_in(module, function), lambda stage, fs: texts.update({stage: stage_text(fs)}))
    return texts


def flatten(module: types.ModuleType, function: Callable[..., Any]) -> str:
    return shown(module, function)["normalised"]


def expose(module: types.ModuleType, function: Callable[..., Any]) -> str:
    texts = shown(module, function)
    before = stage_text([code_of(function).tree])
    assert texts["normalised"] == before, "the program is to be in normal form already, so that one pass works on it"
    return texts["exposed"]


def dead(module: types.ModuleType, function: Callable[..., Any]) -> str:
    program = Program()
    analysed(code_of(function), types_in(module, function)(program), program)
    [tree] = functions_of(program)
    return stage_text([without_dead_code(with_comments(tree), program)])


def substitute(module: types.ModuleType, function: Callable[..., Any]) -> str:
    tree = with_comments(code_of(function).tree)
    return stage_text([without_single_uses(tree, frozenset(getattr(module, "PRIMAL_NAMES", ())))])


PASSES = {f.__name__: f for f in (matching, managers, exits, flatten, expose, dead, substitute)}


def with_comments(tree: Any) -> Any:
    """`comment("text")` in a program stands for a comment of the generated code, which parsing would drop."""
    for node in gast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                block[:] = [as_comment(s) for s in block]
    return tree


def as_comment(s: gast.stmt) -> gast.stmt:
    call = s.value if isinstance(s, gast.Expr) else None
    if isinstance(call, gast.Call) and isinstance(call.func, gast.Name) and call.func.id == "comment":
        return Comment(call.args[0].value)
    return s


# ------------------------------------------------------------------------------------------ what a program does


def outcome(function: Callable[..., Any], args: tuple[Any, ...], expected: tuple[type, ...]) -> Any:
    """What a call returns or raises, and what it leaves of its arguments."""
    args = copy.deepcopy(args)
    try:
        return function(*args), args
    except expected as error:
        return type(error), args


def after(path: Path, module: types.ModuleType, name: str) -> Callable[..., Any]:
    """The function below the marker, in the module's own namespace."""
    text = path.read_text(encoding="utf-8").partition(MARKER)[2]
    space = {n: runtime_function(n) for n in RUNTIME_NAMES} | vars(module)
    del space[name]
    exec(compile(text, path.name, "exec"), space)
    return space[name]  # type: ignore[no-any-return]


@each_file
def test_text(path: Path, update_golden: bool) -> None:
    module = load(path, MARKER)
    compare(path, MARKER, PASSES[path.parent.name](module, program_of(module)), update_golden)


@each_file
def test_meaning(path: Path) -> None:
    module = load(path, MARKER)
    before = program_of(module)
    expected = getattr(module, "RAISES", ())
    for args in (module.ARGS, *getattr(module, "MORE_ARGS", ())):
        want = outcome(before, args, expected)
        got = outcome(after(path, module, before.__name__), args, expected)
        np.testing.assert_equal(got, want)


def test_every_pass_has_files() -> None:
    assert {path.parent.name for path in FILES} == set(PASSES)
