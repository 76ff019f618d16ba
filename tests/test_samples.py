"""Every sample runs as a script and prints what its docstring promises."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = sorted((ROOT / "samples").glob("*.py"))

# What the sample must print, as a regular expression.
SHOWS = {
    "bundle": r"error 10\.951 pixels at the start, 0\.00\d\d pixels after",
    "fan_out": r"gradient +\[0\.26329241 2\.5095075 +1\.97260236\]",
    "gmm": r"log posterior -27582\.625187\n.*first  48\.346683, norm 298\.760209",
    "kalman": r"variance of the measurements 15099, of the yearly drift 1469",
    "newton": r"gradient +1\.1207519690 1\.1025343952",
    "predator_prey": r"31\.042 at the start, 2\.019 after",
    "relaxation": r"largest error 0\.0[012]",
}


def output(path: Path) -> str:
    links = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env={**os.environ, "PYTHONPATH": links}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_prints_what_it_promises(path: Path) -> None:
    text = output(path)
    assert re.search(SHOWS[path.stem], text), text
    assert re.search(r"^def \w+_grad\(", text, re.MULTILINE), "no adjoint was printed"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_fits_on_a_page(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60


def test_fan_out_sums_the_adjoint_of_a_value_used_twice() -> None:
    text = output(ROOT / "samples" / "fan_out.py")
    adjoint = ast.parse(text[text.index("def ") :])
    sums = 0
    for node in ast.walk(adjoint):
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
            sums += ast.unparse(node.target) == "x_bar"
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "x_bar":
            sums += isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add)
    assert sums == 1, text
    # plain values and one sum: no cells to add into, no counting of uses, no store of gradients
    plain = (ast.Module, ast.FunctionDef, ast.Assign, ast.AugAssign, ast.Return, ast.Expr, ast.Import)
    assert all(isinstance(node, plain) for node in ast.walk(adjoint) if isinstance(node, ast.stmt | ast.mod))
    assert not any(isinstance(node, ast.Dict | ast.List | ast.Subscript) for node in ast.walk(adjoint))
