"""Every refusal, as its user sees it: errors/<refusal>.py.

A file holds a program that is refused, `call`, which does what a user would, and as the closing comment
the exception's type and its complete text. Files are shown by their own name, not by their folder's.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from program_files import HERE, compare, files_of, load, title

from pullback.compiler.errors import DerivativeError, RuleError

FILES = files_of("errors")
MARKER = "# --- refused ---\n"
COMPILER = HERE.parent / "compiler"

each_file = pytest.mark.parametrize("path", FILES, ids=title)


def refusal(path: Path) -> Exception:
    """What a file's call raises."""
    module = load(path)
    try:
        result = module.call()
    except Exception as error:  # the file says which one it is to be
        return error
    pytest.fail(f"{path.name} was not refused: {result!r}")


def shown(error: Exception, path: Path) -> str:
    """The refusal as a comment."""
    text = re.sub(rf"[^\s`]*[\\/]{re.escape(path.name)}", path.name, f"{type(error).__name__}: {error}")
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


@each_file
def test_message(path: Path, update_golden: bool) -> None:
    compare(path, MARKER, shown(refusal(path), path), update_golden)


@each_file
def test_way_out(path: Path) -> None:
    error = refusal(path)
    if isinstance(error, DerivativeError) and not isinstance(error, RuleError):  # whose reader writes rules
        for diagnostic in error.diagnostics:
            assert diagnostic.advice or diagnostic.code == "syntax", f"no way out of: {diagnostic.problem}"


# ------------------------------------------------------------------------------------------ nothing is left out

NO_PROGRAM = "no program is known to meet it"
NET = "a net below the normal form, which writes such things in another way"
YET = "of a construct that may yet be followed"
UNMET = {
    "the gradient of something real came out complex": "a net below the checks of what may be complex",
    "cannot settle the adjoint of this element": "elements have names by then",
    "cannot differentiate this expression": NET,
    "cannot take this apart": NO_PROGRAM,
    "the source of this lambda is ambiguous: there are others on its line": "positions in the code tell them apart",
    "… is not valid Python: …": "of the first releases of Python 3.11",
    "cannot tell the results of `…` apart": NO_PROGRAM,
    "the rule of `…` states no tangent": "every rule states one",
    "cannot follow this iteration": NO_PROGRAM,
    "cannot follow this change of an active value in forward mode": NO_PROGRAM,
    "cannot reverse this slice assignment to a list": YET,
    "cannot follow this item assignment": YET,
    "cannot follow this item access": YET,
    "cannot follow the property `…`": YET,
    "cannot follow the method `…`": YET,
    "cannot reverse the list method `…`": NET,
    "cannot follow the method `…` here": NET,
    "cannot follow writes through these views": NET,
    "cannot reverse `…` of a dict": NET,
    "cannot reverse `update` of a dict": NET,
    "cannot differentiate this sequence operation": NET,
}


def problems(path: Path) -> Iterator[str]:
    """What a file of the compiler may complain of, with `…` for what is filled in."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            texts = (
                [text_of(a) for a in node.args] if called in ("refuse", "Diagnostic", "unsettled", "RuleError") else []
            )
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "problem":
            texts = [text_of(node.value)]
        else:
            continue
        yield from [t for t in texts if " " in t][:1]  # the first text of several words


def text_of(node: ast.expr) -> str:
    """A string, or an f-string with `…` in its holes; of any other expression nothing."""
    if isinstance(node, ast.JoinedStr):
        return "".join(text_of(v) if isinstance(v, ast.Constant) else "…" for v in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_met(problem: str, messages: list[str]) -> bool:
    line = re.compile(re.escape(problem).replace("…", ".*") + "$", re.MULTILINE)
    return any(line.search(message) for message in messages)


def test_every_refusal_has_a_file() -> None:
    messages = [path.read_text(encoding="utf-8").partition(MARKER)[2] for path in FILES]
    files = {p: path.name for path in sorted(COMPILER.rglob("*.py")) for p in problems(path)}
    missing = [p for p in files if not is_met(p, messages)]
    assert not [f"{files[p]}: {p}" for p in missing if p not in UNMET], "add a file to tests/errors that meets it"
    assert not UNMET.keys() - set(missing), "met by a file, or gone: take it out of UNMET"
