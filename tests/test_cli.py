"""`pullback dump`: what it prints, that it runs nothing, and how it says what is wrong."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pullback
from pullback.compiler.cli import main, version
from pullback.compiler.stages import STAGES

Dump = Callable[..., tuple[int, str, str]]

MODEL = """
import logging
import math as m
import numpy as np
import helpers
from numpy.typing import NDArray
from functools import lru_cache
from helpers import area, FACTOR as factor
from pullback import grad

log = logging.getLogger(__name__)
SCALE = 2.0 * np.pi
SCALE += 1.0
GRID = np.linspace(0.0, 1.0, 5)
TABLE = open(__file__).read()
GROWN = [1.0]
GROWN.append(2.0)
COUNT = 0
half = lambda v: v / 2

try:
    import a_module_that_is_not_there as missing
except ImportError:
    missing = None

if m.pi > 3.0:
    def soft(v):
        return np.log1p(np.exp(v)) * SCALE

def count():
    global COUNT
    COUNT += 1

def square(x: float):
    return x * x

def loss(w, x: float, n: int = 3, *, flag=True):
    total = 0.0
    for i in range(n):
        total += area(soft(w[i]), x) * factor
    log.info("a loss")
    return total + helpers.cube(half(x)) if flag else total

@grad(wrt="w")
def gridded(w, k=len(GRID) - 1):
    return np.sum(w * GRID) * k

def typed(a: float, v: np.ndarray, m: NDArray[np.float64], c: "float" = 1.0):
    return a * np.sum(v) * np.sum(m) * c

def called(x, y, p, n):
    return x * np.sum(y) + p["a"] * n

def counted(x: float):
    return x * COUNT

def table(x: float):
    return x * len(TABLE)

def grown(x: float):
    return x * GROWN[1] + missing.y

@lru_cache
def cached(x: float):
    return x * x

def uses_cached(x: float):
    return cached(x) + x

class Point:
    def norm(self, x: float):
        return x * x

def vector(x: float):
    return np.array([x, x])

def unsupported(x: float):
    return np.busday_count(x, x) + open(x)

def unparsed(x: float, s="text", opt=None):
    return x * x

if __name__ == "__main__":
    def example(count=4):
        data = np.random.rand(count, 3)
        start = {"a": 1.5}
        for k in range(3):
            print(called(0.5, data, start, k))
    example()
    raise SystemExit("the main block was run")

raise SystemExit("the file was run")
"""

HELPERS = """
FACTOR = [0.25, 0.5][1]

def area(a, b):
    return a * b * FACTOR

def cube(v, power=3):
    return v ** power

raise SystemExit("the helpers were run")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "helpers.py").write_text(HELPERS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def dump(folder: Path, capsys: pytest.CaptureFixture[str]) -> Dump:
    """Runs `pullback dump`; gives the exit code and both streams."""

    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(["dump", *arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        assert "was run" not in out + err and "were run" not in out + err
        return code, out, err

    return run


def printed(dump: Dump, *arguments: str) -> str:
    code, out, err = dump(*arguments)
    assert (code, err) == (0, "")
    compile(out, "<dump>", "exec")
    return out


def complaint(dump: Dump, *arguments: str) -> str:
    """The one line of a mistake in the command."""
    code, out, err = dump(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("pullback") and err.endswith("\n") and err.count("\n") == 1
    return err


def refusal(dump: Dump, *arguments: str) -> str:
    code, out, err = dump(*arguments)
    assert (code, out) == (1, "")
    return err


# What is printed


def test_prints_the_gradient(dump: Dump) -> None:
    assert printed(dump, "model.py:square") == textwrap.dedent(
        '''\
        def square_grad(x, out_bar=1.0):
            """Gradient of square (model.py:34) with respect to x."""

            # 35: return x * x
            x_bar = out_bar * 2.0 * x
            return x_bar
        '''
    )


def test_text_is_what_runs(dump: Dump, folder: Path) -> None:
    """The gradient by the printed text is that of the function, with all it reads from three files."""
    text = printed(dump, "model.py:loss", "--like", "w=float64[3]", "--wrt", "w,x", "--standalone")
    space: dict[str, Any] = {}
    exec(text, space)
    scale, w, x = 2.0 * np.pi + 1.0, np.array([0.1, -0.2, 0.3]), 1.2
    w_bar, x_bar = space["loss_grad"](w, x)
    slope = 1.0 / (1.0 + np.exp(-w)) * scale * x * 0.25
    np.testing.assert_allclose(w_bar, slope, rtol=1e-14)
    assert x_bar == pytest.approx(np.sum(np.log1p(np.exp(w)) * scale) * 0.25 + 3 * x**2 / 8)
    assert "log.info" in text and "log = logging.getLogger(__name__)" in text


def test_value(dump: Dump) -> None:
    text = printed(dump, "model.py:square", "--value")
    assert "def square_value_and_grad(x, out_bar=1.0)" in text and "return value, x_bar" in text


def test_imports_what_it_needs(dump: Dump) -> None:
    text = printed(dump, "model.py:loss", "--like", "w=float64[3]")
    assert "import numpy as np\n" in text
    assert "from model import SCALE, factor" in text.replace("half, ", "").replace("log, ", "").replace("helpers, ", "")
    assert "from helpers import FACTOR" in text


def test_decorated_by_ours(dump: Dump) -> None:
    """The gradient is that of the function below `@grad`; a computed default is a value."""
    assert "def gridded_grad(w, k=4, out_bar=1.0):" in printed(dump, "model.py:gridded", "--like", "w=float64[5]")


def test_writes_a_file(dump: Dump, folder: Path) -> None:
    assert dump("model.py:square", "-o", "out.py") == (0, "", "")
    assert (folder / "out.py").read_text() == printed(dump, "model.py:square")


@pytest.mark.parametrize("stage", STAGES)
def test_stages(stage: str, dump: Dump) -> None:
    text = printed(dump, "model.py:loss", "--like", "w=float64[3]", "--stage", stage)
    expected = {
        "normalised": "= area(soft_w, x)\n",
        "active": "soft_w = soft(w[i])  # active: soft_w, w\n",
        "exposed": "exp_v = np.exp(v)\n",
        "recorded": "_saved.append(",
        "raw": "def soft_reverse(saved, out_bar):",
        "final": "def loss_grad(w, x, n=3, *, flag=True, ",
    }
    assert expected[stage] in text
    assert ("loss_grad" in text) == (stage in ("raw", "final"))


def test_deterministic(folder: Path) -> None:
    """The same text for any order of sets, in a process of its own."""
    texts = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "pullback", "dump", "model.py:loss", "--like", "w=float64[3]", "--standalone"]
        source = str(Path(pullback.__file__).parent.parent)
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": source}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        texts.add(done.stdout)
    assert len(texts) == 1


# Types


@pytest.mark.parametrize(
    "like, same",
    [
        ("x=float", True),
        ("x=float64", True),
        ("x=float[3]", False),
        ("x=float32[2, 3]", False),
        ("x=float[:, :]", False),
        ("x=float[n]", False),
    ],
)
def test_like(like: str, same: bool, dump: Dump) -> None:
    code, out, err = dump("model.py:unparsed", "--like", like)
    assert code == (0 if same else 1)
    assert same or "returns an array of" in err


@pytest.mark.parametrize(
    "like", ["p=dict(a=float, b=float64[3])", "p=(float, int)", "p=[float, float]", "p=list[float]"]
)
def test_like_containers(like: str, dump: Dump, folder: Path) -> None:
    key = '"a"' if "dict" in like else "0"
    (folder / "first.py").write_text(f"def first(p, n=None, s=None):\n    return p[{key}] * p[{key}]\n")
    text = printed(dump, "first.py:first", "--like", like, "--like", "n=none", "--like", "s=str")
    assert "p_bar = zeros(p)" in text


def test_equal_lengths_by_name(dump: Dump, folder: Path) -> None:
    """Dimensions of one name are equal: no test of shapes is left in the text."""
    (folder / "dot.py").write_text("import numpy as np\ndef dot(x, y):\n    return np.sum(x * y)\n")
    named = printed(dump, "dot.py:dot", "--like", "x=float[n]", "--like", "y=float[n]")
    unknown = printed(dump, "dot.py:dot", "--like", "x=float[:]", "--like", "y=float[:]")
    assert "unbroadcast" not in named and "unbroadcast" in unknown


def test_types_from_a_call(dump: Dump) -> None:
    """`called` is called in a function that the main block calls, in a loop, on random numbers."""
    assert "x_bar" in printed(dump, "model.py:called", "--wrt", "x,p")


def test_annotated_arrays_need_a_rank(dump: Dump) -> None:
    said = complaint(dump, "model.py:typed")
    assert said == (
        "pullback dump: no types for `v`, `m` of `typed` "
        "(`v`: its annotation does not say how many dimensions it has; "
        "`m`: its annotation does not say how many dimensions it has): "
        'say them, as in --like "v=float64[3]" --like "m=float[:, :]"\n'
    )
    assert "a_bar" in printed(dump, "model.py:typed", "--like", "v=float[3]", "--like", "m=float[2,2]")


# Mistakes in the command


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["none.py:f"], "cannot read none.py: No such file or directory"),
        (["model.py"], "name a function, as in FILE.py:FUNCTION, not 'model.py'"),
        (["model.py:sqare"], "no function `sqare` in model.py; defined there: "),
        (["model.py:sqare"], "did you mean `square`?"),
        (["model.py:Point"], "`Point` is a class, not a function"),
        (["model.py:Point.norm"], "`norm` is a method, and nothing tells what `self` is"),
        (["bad.py:f"], "bad.py:1: not valid Python: "),
        (["model.py:count"], "`count` has no parameter to differentiate by"),
        (["model.py:square", "--wrt", "y"], "`square` has no parameter `y`; it has x"),
        (["model.py:square", "--wrt", ","], "--wrt names no parameter; `square` has x"),
        (["model.py:square", "--like", "y=float"], "`square` has no parameter `y`; it has x"),
        (["model.py:square", "--like", "float"], "--like 'float' is not NAME=TYPE, as in w=float64[3]"),
        (["model.py:square", "--like", "x=float65"], "--like 'x=float65' has no type that I know: float, int,"),
        (["model.py:square", "--like", "x=float[-1]"], "has no type that I know"),
        (["model.py:square", "--like", "x=int"], "`x` of `square` is an int, which has no derivative"),
        (["model.py:loss", "--wrt", "n", "--like", "w=float[3]"], "`n` of `loss` is an int, which has no derivative"),
        (["model.py:square", "--stage", "middle"], "argument --stage: invalid choice: 'middle'"),
        (["model.py:square", "-o", "no/folder.py"], "cannot write no/folder.py: No such file or directory"),
        (["model.py:square", "--import", "--frob"], "unrecognized arguments: --frob"),
        ([], "the following arguments are required: FILE.py:FUNCTION"),
    ],
)
def test_mistakes(arguments: list[str], said: str, dump: Dump, folder: Path) -> None:
    (folder / "bad.py").write_text("def f(x:\n")
    assert said in complaint(dump, *arguments)


def test_import_that_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "model.py:square", "--import"]) == 2
    assert capsys.readouterr().err == "pullback dump: importing model.py fails: SystemExit: the helpers were run\n"


# Refusals


@pytest.mark.parametrize(
    "function, line, said",
    [
        ("table", "TABLE = open(__file__).read()", "the value of `TABLE` exists only when the file runs"),
        ("grown", "GROWN.append(2.0)", "the value of `GROWN` exists only when the file runs"),
        ("counted", "global COUNT", "a function rebinds it by `global`"),
        ("cached", "@lru_cache", "`cached` as `@lru_cache` makes it exists only when the file runs"),
        ("uses_cached", "def cached(x: float):", "it is decorated with `@lru_cache`"),
    ],
)
def test_what_exists_only_at_run_time(function: str, line: str, said: str, dump: Dump) -> None:
    report = refusal(dump, f"model.py:{function}")
    assert said in report.replace("It is", "it is").replace("A function", "a function")
    assert f"| {line}" in report.replace("|     ", "| ")
    assert "Way out: use --import, which imports the file" in report


def test_refusals_are_reported_as_everywhere(dump: Dump) -> None:
    report = refusal(dump, "model.py:vector")
    assert report.startswith("model.py:") and "returns an array" in report and "^^^" in report
    report = refusal(dump, "model.py:unsupported")
    assert "busday_count" in report and "Way out: " in report


# --import


def test_import(dump: Dump, folder: Path) -> None:
    """What only exists at run time is there; the function is the one below the wrapper."""
    (folder / "alive.py").write_text(
        "import json\nfrom pullback import grad\nDATA = json.loads('[2.0, 3.0]')\n"
        "@grad\ndef loss(x):\n    return x * DATA[0]\n"
        "def main():\n    print(loss(1.5))\n"
        "if __name__ == '__main__':\n    main()\n"
    )
    assert "exists only when the file runs" in refusal(dump, "alive.py:loss")
    text = printed(dump, "alive.py:loss", "--import", "--standalone")
    assert "DATA = [2.0, 3.0]" in text and "x_bar = out_bar * DATA[0]" in text


def test_packages(dump: Dump, folder: Path) -> None:
    """Relative and absolute imports within a package are followed as text, a module of another's name too."""
    inner = folder / "pack" / "inner"
    inner.mkdir(parents=True)
    (folder / "pack" / "__init__.py").write_text("from .constants import *\nraise SystemExit('the pack was run')\n")
    (folder / "pack" / "constants.py").write_text("__all__ = ['TEN']\nTEN = 10.0\n_HIDDEN = 1\n")
    (inner / "__init__.py").write_text("")
    (inner / "math.py").write_text("def sin(x):\n    return 2.0 * x\n")
    (inner / "model.py").write_text(
        "import pack.constants as c\nfrom .. import TEN\nfrom . import math\nfrom .math import sin as s\n"
        "def loss(x: float):\n    return math.sin(x) * TEN + s(x) * c.TEN\n"
    )
    text = printed(dump, "pack/inner/model.py:loss", "--standalone")
    space: dict[str, Any] = {}
    exec(text, space)
    assert space["loss_grad"](1.0) == 40.0


# The command itself


def test_module_and_version() -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(pullback.__file__).parent.parent)}
    command = [sys.executable, "-m", "pullback"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (0, f"pullback {version()}\n")
    done = subprocess.run([*command, "dump", "none.py:f"], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (2, "pullback dump: cannot read none.py: No such file or directory\n")


def test_help(dump: Dump, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = dump("-h")
    assert code == 0 and "pullback dump model.py:loss --standalone -o loss_grad.py" in out
    assert max(map(len, out.splitlines())) <= 110
