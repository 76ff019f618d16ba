"""The text between passes as functions that print, for `pullback dump --stage`."""

import copy

import gast

from pullback.compiler.adjoint.sheet import Sheet
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.nodes import Comment
from pullback.compiler.ir.template import clone
from pullback.compiler.ir.walk import every_node
from pullback.compiler.normalise.context import is_active

STAGES = ("normalised", "active", "exposed", "recorded", "raw", "final")
MARK = "active:"  # opens the comment that names a statement's active variables


def functions_of(program: Program) -> list[gast.stmt]:
    """The functions that are differentiated, as they stand."""
    return [_function(s.name, s.code.tree.args, s.body) for s in _shown(program)]


def active_functions(program: Program) -> list[gast.stmt]:
    """The same, each statement after a comment that names its variables which carry a derivative."""
    return [_function(s.name, s.code.tree.args, _annotated(program, s, s.body)) for s in _shown(program)]


def forward_sweeps(sheets: list[Sheet]) -> list[gast.stmt]:
    """The forward sweeps alone: the primal and what it records."""
    return [_function(s.spec.name, s.spec.code.tree.args, [*s.forward, gast.Return(clone(s.value))]) for s in sheets]


def _shown(program: Program) -> list[Spec]:
    return [s for s in program.specs.values() if s.index == 0 or is_active(program, s)]


def _function(title: str, args: gast.arguments, body: list[gast.stmt]) -> gast.stmt:
    return gast.FunctionDef(title, args, body, [], None, None, [])


def _annotated(program: Program, spec: Spec, body: list[gast.stmt]) -> list[gast.stmt]:
    done: list[gast.stmt] = []
    for s in body:
        found = _active_names(program, spec, s)
        if found:
            done.append(Comment(f"{MARK} {', '.join(found)}"))
        if isinstance(s, (gast.If, gast.For, gast.While, gast.With)):
            head = copy.copy(s)
            head.body = _annotated(program, spec, s.body)
            if hasattr(s, "orelse"):
                head.orelse = _annotated(program, spec, s.orelse)
            s = head
        done.append(s)
    return done


def _active_names(program: Program, spec: Spec, s: gast.stmt) -> list[str]:
    """The active variables of a statement, or of the head of a compound one."""
    if isinstance(s, (gast.FunctionDef, gast.ClassDef)):
        return []
    parts = (
        [s.target, s.iter]
        if isinstance(s, gast.For)
        else [s.test]
        if isinstance(s, (gast.If, gast.While))
        else (s.items if isinstance(s, gast.With) else [s])
    )
    before, after = spec.facts.before.get(s, {}), spec.facts.after.get(s, {})
    found = []
    for node in (n for p in parts for n in every_node(p) if isinstance(n, gast.Name)):
        value = (after if isinstance(node.ctx, gast.Store) else before).get(node.id) or spec.parameters.get(node.id)
        if value is not None and program.is_varied(value) and node.id not in found:
            found.append(node.id)
    return found


def stage_text(functions: list[gast.stmt]) -> str:
    """The functions of a stage as text, activity at the end of lines."""
    text = "\n\n\n".join(printed(f).strip() for f in functions) + "\n"
    lines: list[str] = []
    held = ""
    for line in text.splitlines():
        if line.lstrip().startswith(f"# {MARK}"):
            held = line.strip()
            continue
        lines.append(f"{line}  {held}" if held else line)
        held = ""
    return "\n".join(lines) + "\n"
