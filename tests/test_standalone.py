"""A standalone module runs where pullback is not installed, and gives the gradient that runs here."""

import dataclasses
import enum
import importlib.util
import json
import logging
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pullback
from pullback.compiler.cli import main
from pullback.compiler.errors import ArgumentError
from pullback.compiler.frontend.code import code_from_source
from pullback.compiler.frontend.source import find_source
from pullback.compiler.imports import linked_text
from pullback.compiler.pipeline import differentiate
from pullback.compiler.standalone import standalone_text

PROGRAM = '''
import math as m
import numpy as np
import scipy.linalg as sla
from scipy.special import erf as error_function
from numpy import zeros, sin as s
from numpy.linalg import solve
import gadgets.shapes as shapes
from gadgets import RATE, area as surface
from gadgets.shapes import order

STEP = 0.1 * m.pi
TABLE = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
OPTIONS = {"power": 2, "names": ("a", None), "limits": [-np.inf, float("nan")]}
RATES = [RATE, 2 * RATE]
half = lambda v: v / 2

def flags(n: int, every=OPTIONS["power"]) -> "list[bool]":
    # this comment travels
    return [order(i) % every == 0 for i in range(n)]

def stepping(u, n: int):
    """Writes into its argument, in a loop."""
    for _ in range(n):
        u[1:-1] += STEP * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)

def helpers(x: float):
    return surface(x, half(x)) * RATE + s(x) * shapes.DEPTH + shapes.area(x)

def inert(x):
    total = zeros(2)
    for i, keep in enumerate(flags(len(x))):
        if keep:
            total[i % 2] += x[i] ** 3 * RATES[i % 2]
    return total[0] * total[1] + TABLE[0, 1] * x[0]

def masks(x):
    y = np.where(x > 0.0, np.sqrt(np.abs(x)), x * 0.0)
    y[x > 1.0] = 0.5
    return np.sum(y * np.clip(x, -0.5, 0.5)) + np.max(x)

def lists(p):
    parts = []
    for v in p["w"]:
        parts.append(v * v * p["scale"])
    parts[0] = parts[0] * parts[-1]
    p["scale"] = p["scale"] * 2.0
    return sum(parts) * p["scale"]

def linear(a, b):
    return np.linalg.norm(solve(a, b)) + np.log(np.linalg.det(a @ a.T)) + np.sum(np.linalg.cholesky(a @ a.T))

def special(x: float):
    return error_function(x) * np.sum(sla.expm(np.array([[0.0, x], [-x, 0.0]])))

def shuffled(x):
    return np.sum(np.cumprod(np.roll(x, 1)) * np.fft.rfft(x).real[0]) + np.prod(x) + np.std(x)
'''

GADGETS = """
from .shapes import area
RATE = 0.25
"""

SHAPES = """
import numpy as np
RATE = 3.0
DEPTH = np.float64(1.5)

def order(i, RATE=RATE):
    return i * int(RATE)

def area(a, b=2.0):
    return a * b * RATE
"""

X = [0.3, -0.7, 1.4, 0.2]
CASES: dict[str, tuple[list[str], list[Any]]] = {
    "stepping": (["--like", "u=float[:]"], [[1.0, 2.0, 0.5, -1.0, 3.0], 3]),
    "helpers": ([], [1.3]),
    "inert": (["--like", "x=float64[:]"], [X]),
    "masks": (["--like", "x=float64[4]"], [X]),
    "lists": (["--like", "p=dict(w=list[float], scale=float)"], [{"w": X, "scale": 0.5}]),
    "linear": (
        ["--like", "a=float[n,n]", "--like", "b=float[n]", "--wrt", "a,b", "--value"],
        [[[3.0, 1.0], [0.5, 2.0]], [1.0, -1.0]],
    ),
    "special": ([], [0.4]),
    "shuffled": (["--like", "x=float[:]"], [X]),
}

RUNNER = """
import json, sys
sys.path[:0] = sys.argv[1:3]
try:
    import pullback
except ImportError:
    pass
else:
    raise SystemExit("pullback is installed here")
import importlib
import numpy as np

def plain(v):
    if isinstance(v, dict):
        return {k: plain(i) for k, i in v.items()}
    return [plain(i) for i in v] if isinstance(v, (tuple, list)) else np.asarray(v).tolist()

def arrays(v):
    return np.array(v) if isinstance(v, list) else v

found = {}
for name, arguments in json.loads(sys.stdin.read()).items():
    module = importlib.import_module(name)
    function = next(f for n, f in vars(module).items() if n in (name + "_grad", name + "_value_and_grad"))
    try:
        found[name] = plain(function(*map(arrays, arguments)))
    except Exception as error:
        found[name] = repr(error)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, its package of helpers, and a folder with NumPy and SciPy but not pullback."""
    folder = tmp_path_factory.mktemp("standalone")
    (folder / "gadgets").mkdir()
    (folder / "gadgets" / "__init__.py").write_text(GADGETS)
    (folder / "gadgets" / "shapes.py").write_text(SHAPES)
    (folder / "programs.py").write_text(PROGRAM)
    (folder / "out").mkdir()
    (folder / "libraries").mkdir()
    for name in ("numpy", "scipy"):
        spec = importlib.util.find_spec(name)
        assert spec is not None and spec.origin is not None
        home = Path(spec.origin).parent
        for place in (home, home.with_name(f"{name}.libs")):
            if place.exists():
                os.symlink(place, folder / "libraries" / place.name)
    return folder


@pytest.fixture(scope="module")
def programs(folder: Path) -> ModuleType:
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("programs")
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Any]:
    """The gradients that the standalone modules give in an interpreter without pullback."""
    for name, (options, _) in CASES.items():
        target = f"{folder / 'programs.py'}:{name}"
        assert main(["dump", target, *options, "--standalone", "-o", str(folder / "out" / f"{name}.py")]) == 0
    return run(folder, {name: arguments for name, (_, arguments) in CASES.items()})


def run(folder: Path, calls: dict[str, list[Any]]) -> dict[str, Any]:
    command = [sys.executable, "-I", "-S", "-c", RUNNER, str(folder / "libraries"), str(folder / "out")]
    done = subprocess.run(command, input=json.dumps(calls), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def as_arrays(value: Any) -> Any:
    return np.array(value) if isinstance(value, list) else value


def assert_same(found: Any, expected: Any) -> None:
    assert not isinstance(found, str), found
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key in expected:
            assert_same(found[key], expected[key])
    elif isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for f, e in zip(found, expected):
            assert_same(f, e)
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_runs_without_pullback(name: str, results: dict[str, Any], programs: ModuleType) -> None:
    options, arguments = CASES[name]
    function = getattr(programs, name)
    derived = pullback.value_and_grad(function, wrt=("a", "b")) if "--value" in options else pullback.grad(function)
    assert_same(results[name], derived(*map(as_arrays, arguments)))


@pytest.mark.parametrize("name", CASES)
def test_names_nothing_of_ours(name: str, results: dict[str, Any], folder: Path) -> None:
    text = (folder / "out" / f"{name}.py").read_text()
    assert "import pullback" not in text and "from pullback" not in text
    assert "programs" not in [w for line in text.splitlines() if "import" in line for w in line.split()]


def test_a_module_reads_well(results: dict[str, Any], folder: Path) -> None:
    """Imports, constants, helpers and the derivative, in that order; comments stay, unused things do not."""
    text = (folder / "out" / "inert.py").read_text()
    assert text.startswith('"""Gradient of inert (programs.py:')
    assert "it needs NumPy alone" in text
    assert 'OPTIONS = {"power": 2, "names": ("a", None), "limits": [-np.inf, float("nan")]}\n' in text
    expected = """
        def flags(n: int, every=OPTIONS["power"]) -> "list[bool]":
            # this comment travels
            return [order(i) % every == 0 for i in range(n)]
        """
    assert textwrap.dedent(expected) in text
    assert "STEP" not in text and "surface" not in text
    assert text.index("OPTIONS") < text.index("def order") < text.index("def flags") < text.index("def inert_grad")


def test_one_name_for_two_things(results: dict[str, Any], folder: Path) -> None:
    """RATE is 0.25 in one module and 3.0 in the other."""
    text = (folder / "out" / "helpers.py").read_text()
    assert "RATE = 0.25\n" in text and "RATE2 = 3.0\n" in text


def test_scipy_is_named_where_it_is_used(results: dict[str, Any], folder: Path) -> None:
    assert "it needs NumPy and SciPy." in (folder / "out" / "special.py").read_text()


# From functions that run here, as `save(path, standalone=True)` does.


def derivative(function: Callable[..., Any], *args: Any) -> tuple[Any, Any]:
    code = code_from_source(find_source(function), function)
    names = code.parameters
    wrt = (names[0],)
    made = differentiate(code, lambda p: {n: p.value_of(a, n, n in wrt) for n, a in zip(names, args)}, wrt, single=True)
    return made, code


def loaded(text: str, name: str) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "<standalone>", "exec"), space)
    return space[name]


def scaled(k: float) -> Callable[[float], float]:
    def inner(v: float) -> float:
        return k * v * v

    return inner


double, triple = scaled(2.0), scaled(3.0)
LARGE = np.zeros(20_000)
OPEN = open(os.devnull)
PICKS = (abs, np.sin, scaled)
state = SimpleNamespace(level=2.0)


class Mode(enum.Enum):
    FAST = 2.0
    FINE = 3.0


@dataclasses.dataclass(frozen=True)
class Options:
    rate: float
    mode: Mode = Mode.FINE


OPTIONS = Options(0.5, Mode.FAST)
LOG = logging.getLogger("standalone")


def with_options(x: float) -> float:
    LOG.debug("x is %s", x)
    print(OPTIONS, Mode.FINE)
    return x * x * 0.5


def both(x: float) -> float:
    return double(x) + triple(x)


def reads_much(x: float) -> float:
    print(OPEN, LARGE[0])
    return x * x


def picks(x: float) -> float:
    print(PICKS)
    return x * x


def test_closures_of_one_function() -> None:
    made, code = derivative(both, 1.5)
    text = standalone_text(made, [code])
    assert loaded(text, "both_grad")(1.5) == pytest.approx(15.0)
    assert "k = 2.0" in text


def test_functions_in_constants() -> None:
    made, code = derivative(picks, 1.5)
    text = standalone_text(made, [code])
    assert "PICKS = (abs, sin, scaled)" in text and "from numpy import sin" in text
    assert loaded(text, "picks_grad")(1.5) == pytest.approx(3.0)


def test_values_made_by_classes() -> None:
    made, code = derivative(with_options, 1.5)
    text = standalone_text(made, [code])
    assert "OPTIONS = Options(rate=0.5, mode=Mode.FAST)" in text and 'getLogger("standalone")' in text.replace("'", '"')
    assert loaded(text, "with_options_grad")(1.5) == pytest.approx(1.5)


def test_what_cannot_be_written() -> None:
    made, code = derivative(reads_much, 1.5)
    with pytest.raises(ArgumentError) as caught:
        standalone_text(made, [code])
    said = str(caught.value)
    assert "`LARGE` cannot be written into a standalone module: it is an array of 20000 entries" in said
    assert "`OPEN` cannot be written into a standalone module" in said
    assert "Way out: " in said


def powers(x: float, n: int = len(PICKS), *, shift: Any = LARGE[0]) -> float:
    return x**n + shift


def test_computed_defaults() -> None:
    """They are values in the module: what they were computed from may not be there."""
    made, code = derivative(powers, 1.5, 3, 0.0)
    for text in (standalone_text(made, [code]), linked_text(made, [code])):
        assert "def powers_grad(x, n=3, *, shift=" in text
        assert "LARGE" not in text
        assert loaded(text, "powers_grad")(1.5) == pytest.approx(6.75)


def test_linked_text_imports_from_the_primal() -> None:
    made, _ = derivative(reads_much, 1.5)
    text = linked_text(made)
    assert f"from {reads_much.__module__} import LARGE, OPEN" in text
    assert loaded(text, "reads_much_grad")(1.5) == 3.0
