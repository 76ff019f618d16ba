"""The README shows what pullback does now."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

from pullback.compiler.cli import main

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_adjoint_is_the_one_that_is_made(tmp_path: Path, update_golden: bool) -> None:
    text = README.read_text(encoding="utf-8")
    program, shown = BLOCK.findall(text)
    path = tmp_path / "settle.py"
    path.write_text(program, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("settle", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    made = module.settle.source_for(np.ones(4), 0.3).rstrip() + "\n"
    if update_golden:
        README.write_text(text.replace(shown, made), encoding="utf-8")
    else:
        assert shown == made, "run pytest with --update-golden, and read the diff"


def test_the_command_gives_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = README.read_text(encoding="utf-8")
    program, shown = BLOCK.findall(text)
    path = tmp_path / "settle.py"
    path.write_text(program, encoding="utf-8")
    main(["dump", f"{path}:settle", "--wrt", "u,k", "--like", "u=float64[n]", "--like", "k=float"])
    assert capsys.readouterr().out.endswith(shown)
