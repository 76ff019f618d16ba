"""Generated adjoints as text, next to the programs they come from.

A file of tests/golden holds a program, the arguments it is called with, and below a marker line the
adjoint that pullback makes of it. The last function above the marker is the program; `ARGS`, `WRT`
and `HAND_LINES` (the code lines of an adjoint written by hand) go with it, and `MORE_ARGS` may hold
further arguments to check the gradient at.
"""

import ast
import copy
import io
import tokenize
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from program_files import compare, files_of, load, program_of

import pullback

FILES = files_of("golden")
MARKER = "# --- adjoint ---\n"
LONGER_THAN_BY_HAND = 1.3
LONGEST = 1.7  # of a single one: a branch taken twice weighs much in a short function

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def program(path: Path) -> tuple[Any, Callable[..., Any]]:
    """A golden file as a module, and its last function."""
    module = load(path, MARKER)
    return module, program_of(module)


def generated(path: Path) -> str:
    """The adjoint that pullback makes now."""
    module, primal = program(path)
    source = pullback.grad(primal, wrt=module.WRT).source_for(*copy.deepcopy(module.ARGS))
    return str(source).rstrip() + "\n"


def code_lines(text: str) -> int:
    """Lines of code in text: no blanks, comments, docstrings or imports."""
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or (is_text and isinstance(node.value.value, str)):
            skipped.update(range(node.lineno, node.end_lineno + 1))
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    used: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in layout | {tokenize.ENDMARKER}:
            used.update(range(token.start[0], token.end[0] + 1))
    return len(used - skipped)


def central_differences(f: Callable[..., Any], args: tuple[Any, ...], position: int, h: float = 1e-6) -> Any:
    """The derivative of f by each element of one argument."""

    def value(index: tuple[int, ...], change: float) -> float:
        moved = list(copy.deepcopy(args))  # which keeps the layout of arrays
        if index:
            moved[position][index] += change
        else:
            moved[position] += change
        return float(f(*moved))

    gradient = np.zeros(np.shape(args[position]))
    for index in np.ndindex(gradient.shape):
        gradient[index] = (value(index, h) - value(index, -h)) / (2 * h)
    return gradient


@each_file
def test_text(path: Path, update_golden: bool) -> None:
    compare(path, MARKER, generated(path), update_golden)


@each_file
def test_gradient(path: Path) -> None:
    module, primal = program(path)
    gradient = pullback.grad(primal, wrt=module.WRT)
    positions = (module.WRT,) if isinstance(module.WRT, int) else module.WRT
    for args in (module.ARGS, *getattr(module, "MORE_ARGS", ())):
        got = gradient(*copy.deepcopy(args))
        for position, part in zip(positions, (got,) if isinstance(module.WRT, int) else got):
            want = central_differences(primal, args, position)
            np.testing.assert_allclose(part, want, rtol=1e-6, atol=1e-8)


@each_file
def test_length(path: Path) -> None:
    module, _ = program(path)
    lines = code_lines(generated(path))
    by_hand = module.HAND_LINES
    assert lines <= LONGEST * by_hand, f"{lines} lines, {by_hand} by hand"


def test_length_of_all() -> None:
    lines = sum(code_lines(generated(path)) for path in FILES)
    by_hand = sum(program(path)[0].HAND_LINES for path in FILES)
    assert lines <= LONGER_THAN_BY_HAND * by_hand, f"{lines} lines, {by_hand} by hand"
