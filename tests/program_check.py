"""Run one program, compare its gradient with central differences, and make a failing one smaller."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import itertools
import sys
import tempfile
import time
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from pullback import DerivativeError, grad, jvp
from pullback.runtime.arrays import laid_out

RTOL, ATOL = 1e-5, 1e-7
COARSE = 300.0  # times that, where float32 rounds
LARGEST = 1e6  # of values and derivatives: beyond it differences say little
MODULES = ("np", "math", "max", "min", "sum", "abs", "float", "range")  # no value of a program
_numbers = itertools.count()
_folder = tempfile.TemporaryDirectory(prefix="pullback_programs_")


@dataclasses.dataclass
class Outcome:
    kind: str  # right, wrong, refused, crash, skipped
    detail: str = ""
    expected: object = None
    got: object = None
    source: str = ""

    def __str__(self) -> str:
        lines = [f"{self.kind}: {self.detail}"]
        if self.expected is not None:
            lines += [f"expected {self.expected}", f"got      {self.got}"]
        return "\n".join(lines)


def load(text: str) -> types.ModuleType:
    """The module with this text, in a file of its own, so that its source is found."""
    path = Path(_folder.name) / f"program_{next(_numbers)}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[path.stem]
        path.with_suffix(".pyc").unlink(missing_ok=True)
    return module


def copies(arguments: list[object]) -> list[object]:
    return [laid_out(a, a) if isinstance(a, np.ndarray) else a for a in arguments]


def differentiable(arguments: list[object]) -> list[int]:
    return [
        i
        for i, a in enumerate(arguments)
        if isinstance(a, float) or (isinstance(a, np.ndarray) and a.dtype.kind == "f")
    ]


class NotSmooth(Exception):
    """Differences do not settle here: a kink, a jump, or values too large."""


def differences(function: Callable, arguments: list[object], step: float = 2e-4) -> list[object]:
    """The gradient by extrapolated central differences, checked against one-sided ones."""

    def value(place: int, where: int, shift: float) -> float:
        moved = copies(arguments)
        if isinstance(moved[place], np.ndarray):
            moved[place].flat[where] += shift
        else:
            moved[place] += shift
        result = function(*moved)
        if np.ndim(result) != 0 or not np.isfinite(result) or abs(result) > LARGEST:
            raise NotSmooth
        return float(result)

    middle = value(differentiable(arguments)[0], 0, 0.0)
    gradients = []
    for place in differentiable(arguments):
        slope = np.zeros(np.shape(arguments[place]))
        for where in range(slope.size):
            far_up, up = value(place, where, step), value(place, where, step / 2)
            far_down, down = value(place, where, -step), value(place, where, -step / 2)
            coarse, fine = (far_up - far_down) / (2 * step), (up - down) / step
            right = (4 * up - far_up - 3 * middle) / step
            left = (3 * middle + far_down - 4 * down) / step
            size = 1e-4 * max(1.0, abs(fine))
            if not max(abs(coarse - fine), abs(right - fine), abs(left - fine)) < size:
                raise NotSmooth
            slope.flat[where] = (4 * fine - coarse) / 3
        gradients.append(slope if slope.ndim else float(slope))
    return gradients


def same(one: object, two: object) -> bool:
    if isinstance(one, (np.ndarray, float)):
        return type(one) is type(two) and np.array_equal(one, two, equal_nan=True)
    return type(one) is type(two) and one == two


def check_text(text: str, arguments: list[object], want_source: bool = False) -> Outcome:
    """What becomes of `grad(program)` at these arguments. Differences are taken of the program in float64."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            function = load(text).program
            precise = load(text.replace("float32", "float64")).program if "float32" in text else function
            expected = differences(precise, arguments)
        except NotSmooth:
            return Outcome("skipped", "not smooth here")
        except Exception as problem:
            return Outcome("skipped", f"{type(problem).__name__}: {problem}")
        return compare(function, arguments, expected, want_source, 1.0 if precise is function else COARSE)


def compare(function: Callable, arguments: list, expected: list, want_source: bool, coarse: float = 1.0) -> Outcome:
    given = copies(arguments)
    derivative = grad(function, wrt=tuple(differentiable(arguments)))
    try:
        first = derivative(*given)
        unchanged = all(same(a, b) for a, b in zip(given, arguments))
        second = derivative(*given)
    except DerivativeError as refusal:
        detail = str(refusal).splitlines()[0].split(": ", 1)[-1]
        return Outcome("refused", detail, expected, source=str(refusal))
    except Exception as problem:
        where = traceback.extract_tb(problem.__traceback__)[-1]
        detail = f"{type(problem).__name__}: {problem} at {Path(where.filename).name}:{where.lineno} {where.line}"
        return Outcome("crash", detail, expected, source=text_of(derivative, want_source))
    source = text_of(derivative, want_source)
    if not unchanged:
        return Outcome("wrong", "an argument was changed", arguments, given, source)
    if not all(np.array_equal(a, b, equal_nan=True) for a, b in zip(first, second)):
        return Outcome("wrong", "the second call differs", first, second, source)
    for got, slope in zip(first, expected):
        scale = coarse * (ATOL + RTOL * max(1.0, float(np.max(np.abs(slope), initial=0.0))))
        if np.shape(got) != np.shape(slope):
            return Outcome("wrong", "shape", expected, first, source)
        if not np.all(np.abs(np.asarray(got) - slope) <= scale):
            return Outcome("wrong", "value", expected, first, source)
    return forward(function, arguments, expected, coarse) or Outcome("right", source=source)


def forward(function: Callable, arguments: list, expected: list, coarse: float) -> Outcome | None:
    """What is not right about the derivative along a direction; forward mode may refuse what reverse mode follows."""
    given = copies(arguments)
    rng = np.random.default_rng(0)
    along = [rng.uniform(0.5, 1.5, np.shape(slope)) for slope in expected]
    tangents: list[object] = [None] * len(arguments)
    for place, direction in zip(differentiable(arguments), along):
        tangents[place] = direction if isinstance(arguments[place], np.ndarray) else float(direction)
    try:
        value, slope = jvp(function, tuple(given), tuple(tangents))
    except DerivativeError:
        return None
    except Exception as problem:
        return Outcome("crash", f"forward: {type(problem).__name__}: {problem}", expected)
    if not all(same(a, b) for a, b in zip(given, arguments)):
        return Outcome("wrong", "forward: an argument was changed", arguments, given)
    if not np.isclose(value, function(*copies(arguments)), rtol=1e-9 * coarse**2, equal_nan=True):
        return Outcome("wrong", "forward: the value", function(*copies(arguments)), value)
    wanted = sum(float(np.sum(d * s)) for d, s in zip(along, expected))
    scale = ATOL + 10 * coarse * RTOL * max(1.0, *(float(np.max(np.abs(s), initial=0.0)) for s in expected))
    return None if abs(slope - wanted) <= scale else Outcome("wrong", "forward: the slope", wanted, slope)


def text_of(derivative: object, want: bool) -> str:
    try:
        return derivative.source if want else ""
    except Exception as problem:
        return f"no source: {problem}"


# --- Shrinking -----------------------------------------------------------------------------------


def shrink(text: str, still: Callable[[str], bool], seconds: float = 60.0) -> str:
    """The smallest program found for which `still` holds: fewer statements, parts of expressions."""
    text = ast.unparse(ast.parse(text))
    end = time.monotonic() + seconds
    progress = True
    while progress:
        progress = False
        for smaller in candidates(text):
            if time.monotonic() > end:
                return text
            if len(smaller) < len(text) and still(smaller):
                text, progress = smaller, True
                break
    return text


def candidates(text: str) -> Iterator[str]:
    """Programs one step smaller than this one, largest cuts first."""
    tree = ast.parse(text)
    blocks = [
        (node, field)
        for node in ast.walk(tree)
        for field in ("body", "orelse")
        if isinstance(getattr(node, field, None), list) and not isinstance(node, ast.IfExp)
    ]
    for node, field in blocks:
        statements = getattr(node, field)
        for size in (8, 4, 2, 1):
            for start in range(0, len(statements) - size + 1):
                rest = statements[:start] + statements[start + size :]
                yield from changed(tree, node, field, rest or ([] if field == "orelse" else [ast.Pass()]))
        for i, statement in enumerate(statements):
            inner = getattr(statement, "body", None)
            if isinstance(inner, list) and not isinstance(statement, ast.FunctionDef):
                arms = [inner, getattr(statement, "orelse", []), inner + getattr(statement, "orelse", [])]
                for arm in arms:
                    yield from changed(tree, node, field, statements[:i] + arm + statements[i + 1 :])
    yield from smaller_expressions(tree)


def smaller_expressions(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.expr) and len(value) > 1:
                for i in range(len(value)):
                    yield from changed(tree, node, field, value[:i] + value[i + 1 :])
            values = value if isinstance(value, list) else [value]
            for i, item in enumerate(values):
                if not isinstance(item, ast.expr) or isinstance(getattr(item, "ctx", None), ast.Store):
                    continue
                parts = [c for c in ast.walk(item) if isinstance(c, ast.expr) and c is not item]
                if not isinstance(item, (ast.Constant, ast.Name)) and field != "test":
                    parts += [ast.Constant(0.7), ast.Constant(1)]
                parts = [part for part in parts if getattr(part, "id", "") not in MODULES]
                for part in parts:
                    new = values[:i] + [part] + values[i + 1 :]
                    yield from changed(tree, node, field, new if isinstance(value, list) else part)


def changed(tree: ast.Module, node: ast.AST, field: str, value: object) -> Iterator[str]:
    """The text of the tree with one field of one node replaced for a moment."""
    old = getattr(node, field)
    setattr(node, field, value)
    try:
        yield ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, AttributeError, TypeError):
        pass
    finally:
        setattr(node, field, old)
