"""Every analysis on small programs whose comments state the facts: analysis/<analysis>/<behaviour>.py.

The last function of a file is analysed, called with `ARGS` and active in its first argument (or in those
of `WRT`). Each line of it ends with what its analysis finds there, and with nothing if it finds nothing.
"""

import re
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gast
import pytest
from program_files import code_of, files_of, load, program_of, title, types_in

from pullback.compiler.adjoint.needs import needs_of
from pullback.compiler.adjoint.recording import Recording
from pullback.compiler.adjoint.sheet import plan
from pullback.compiler.analysis.flow import control_flow
from pullback.compiler.analysis.liveness import head_assigns, head_reads, live_variables
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.reaching import reaching_definitions
from pullback.compiler.analysis.shadows import find_shadows
from pullback.compiler.analysis.values import SCALARS, WIDE, Dim, Linear, Value
from pullback.compiler.emit.printer import printed
from pullback.compiler.pipeline import analysed, prepared

FILES = files_of("analysis")
Facts = Iterator[tuple[int, str]]  # line, and what is found there
Function = Callable[..., Any]


def every(body: list[gast.stmt]) -> Iterator[gast.stmt]:
    """The statements of a block, in reading order, with those inside them."""
    for s in body:
        yield s
        for field in ("body", "orelse"):
            if not isinstance(s, gast.FunctionDef):
                yield from every(getattr(s, field, []))


def inferred(module: types.ModuleType, function: Function) -> tuple[Program, Spec]:
    program = Program()
    return analysed(code_of(function), types_in(module, function)(program), program)


def bound(spec: Spec) -> Iterator[tuple[gast.stmt, str, Value]]:
    """The names that each statement binds, with their values after it."""
    for s in every(spec.body):
        for name in sorted(head_assigns(s)):
            yield s, name, spec.facts.after[s][name]


# ------------------------------------------------------------------------------------------ types and shapes


def types_found(module: types.ModuleType, function: Function) -> Facts:
    program, spec = inferred(module, function)
    for s, _, value in bound(spec):
        yield s.lineno, kind(program, value)


def kind(program: Program, value: Value) -> str:
    """A type in words."""
    if value.kind in ("array", "number"):
        words = f"{value.dtype} {value.kind}".strip()
        words += "" if value.rank is None else f", rank {value.rank}"
    elif value.kind == "tuple":
        words = f"tuple of {' and '.join(kind(program, i) for i in value.items or ())}"
    elif value.kind in ("list", "dict"):
        held = {kind(program, v): None for cell in program.cells(value) for v in cell.held()}
        words = f"{value.kind} of {' or '.join(held) or 'nothing'}"
    else:
        words = value.dtype if value.kind in SCALARS and value.dtype else value.kind
    return words + (" or None" if value.optional else "") + (" or unbound" if value.unbound else "")


def shapes_found(module: types.ModuleType, function: Function) -> Facts:
    _, spec = inferred(module, function)
    for s, _, value in bound(spec):
        if value.kind == "array":
            yield s.lineno, "shape unknown" if value.dims is None else f"({', '.join(map(length, value.dims))})"
        elif value.length is not None:
            yield s.lineno, f"is {length(value.length)}"


def length(dim: Dim) -> str:
    """A dimension in words: `x.0` is the first of x; `by n` that of a slice bounded by n; `?` may be 1, `many` is not."""
    if isinstance(dim, Linear) and dim.symbol.startswith("~"):
        return f"by {dim.symbol.split('|')[1].strip(',') or 'literals'}"
    if isinstance(dim, Linear):
        sign = "-" if dim.offset < 0 else "+"
        return f"{dim.symbol} {sign} {abs(dim.offset)}" if dim.offset else dim.symbol
    return "?" if dim is None else "many" if dim == WIDE else str(dim)


# ------------------------------------------------------------------------------------------ memory


def memory_found(module: types.ModuleType, function: Function) -> Facts:
    program, spec = inferred(module, function)
    for s, name, value in bound(spec):
        own, reached = program.roots(value), program.reached(value)
        others = {n: program.roots(v) for n, v in sorted(spec.facts.after[s].items()) if n != name}
        aliases = [n for n, roots in others.items() if roots & own]
        held = [n for n, roots in others.items() if roots & (reached - own)]
        if reached:
            facts = [f"aliases {', '.join(aliases)}" if aliases else "own memory" if own else ""]
            yield s.lineno, ", ".join(f for f in [*facts, f"holds {', '.join(held)}" if held else ""] if f)


def shadows_found(module: types.ModuleType, function: Function) -> Facts:
    program, spec = inferred(module, function)
    shadows = find_shadows(program)
    for s, _, value in bound(spec):
        if shadows.has(value):
            yield s.lineno, "shadow"
        elif shadows.has_value_adjoint(value):
            yield s.lineno, "value"


# ------------------------------------------------------------------------------------------ the reverse sweep


def reversed_program(module: types.ModuleType, function: Function) -> tuple[Program, Spec, Any, Recording, Any]:
    """The program before its sweeps are laid out: (program, function, steps, what is recorded, activity)."""
    program, spec, shadows, labels, guards = prepared(code_of(function), types_in(module, function))
    made = plan(program, spec, shadows, guards, labels)
    memory, asked = needs_of({spec: made})
    recording = made.recorder.run(spec.body, memory, asked[spec])
    return program, spec, made.steps, recording, made.activity


def activity_found(module: types.ModuleType, function: Function) -> Facts:
    """`active`: depends on the arguments, and the result on it; `unused`: the result does not; `inert`."""
    program, spec, steps, _, activity = reversed_program(module, function)
    own = code_of(function).locals  # and not what passes introduced
    for s, name, value in bound(spec):
        if name in own and not program.is_varied(value):
            yield s.lineno, "inert"
        elif name in own and s in steps:
            used = steps[s].always or name in activity.after[s]
            yield s.lineno, "active" if used else "unused"


def recording_found(module: types.ModuleType, function: Function) -> Facts:
    """What is kept before a statement, before a loop, or at the end of an iteration."""
    _, spec, _, recording, _ = reversed_program(module, function)
    for step, names in recording.names.items():
        yield step.statement.lineno, f"keeps {', '.join(sorted(names))}"
    for step, saves in recording.content.items():
        yield step.statement.lineno, f"keeps {', '.join(printed(save.value).strip() for save in saves)}"
    for step in recording.undone:
        yield step.statement.lineno, "undone"
    for loop, names in recording.loops.items():
        yield loop.lineno, f"keeps {', '.join(sorted(names))}"
    for s in every(spec.body):
        for field in ("body", "orelse"):
            names = recording.at_end.get(id(getattr(s, field, None)))
            if names:
                yield getattr(s, field)[-1].lineno, f"then keeps {', '.join(sorted(names))}"


# ------------------------------------------------------------------------------------------ names


def liveness_found(module: types.ModuleType, function: Function) -> Facts:
    code = code_of(function)
    after = live_variables(control_flow(code.tree.body)).after
    for s in every(code.tree.body):
        if s in after:
            yield s.lineno, f"live: {', '.join(sorted(after[s] & code.locals)) or 'nothing'}"


def reaching_found(module: types.ModuleType, function: Function) -> Facts:
    code = code_of(function)
    before = reaching_definitions(control_flow(code.tree.body), list(code.parameters)).before
    for s in every(code.tree.body):
        for name in sorted(head_reads(s) & code.locals):
            places = sorted(place(definition, name in code.parameters) for n, definition in before[s] if n == name)
            yield s.lineno, f"{name} of {' or '.join(places)}"


def place(definition: gast.stmt | None, parameter: bool) -> str:
    if definition is not None:
        return f"line {definition.lineno}"
    return "the caller" if parameter else "nowhere"


# ------------------------------------------------------------------------------------------ the comparison

ANALYSES: dict[str, Callable[[types.ModuleType, Function], Facts]] = {
    "activity": activity_found,
    "liveness": liveness_found,
    "memory": memory_found,
    "reaching": reaching_found,
    "recording": recording_found,
    "shadows": shadows_found,
    "shapes": shapes_found,
    "types": types_found,
}


def commented(text: str, function: Function, found: Facts) -> str:
    """The text with the facts, and no other comment, at the end of the function's lines."""
    facts: dict[int, list[str]] = {}
    for line, fact in found:
        facts.setdefault(line, []).append(fact)
    first = function.__code__.co_firstlineno
    last = max(line for _, _, line in function.__code__.co_lines() if line is not None)
    lines = text.split("\n")
    for i in range(first - 1, last):
        code = re.sub(r"\s*#.*", "", lines[i])
        lines[i] = f"{code}  # {'; '.join(facts.get(i + 1, []))}" if i + 1 in facts else code
    return "\n".join(lines)


@pytest.mark.parametrize("path", FILES, ids=title)
def test_facts(path: Path, update_golden: bool) -> None:
    module = load(path)
    function = program_of(module)
    text = path.read_text(encoding="utf-8")
    found = commented(text, function, ANALYSES[path.parent.name](module, function))
    if update_golden:
        path.write_text(found, encoding="utf-8")
        return
    assert text == found, f"{path.name} differs: run pytest with --update-golden, and read the diff"


def test_every_analysis_has_files() -> None:
    assert {path.parent.name for path in FILES} == set(ANALYSES)
