"""The generated functions around the tangents: `f_tangent(x, x_dot)` returns the value and its tangent."""

from typing import Any

import gast

from pullback.compiler.adjoint.assemble import listed, plain_arguments, short_path
from pullback.compiler.analysis.effects import layout_matters
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.comments import guards_explained
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import assign, call, constant, expression, name
from pullback.compiler.ir.walk import every_node
from pullback.compiler.normalise.context import followed
from pullback.compiler.tangent.calls import parameters_of
from pullback.compiler.tangent.expressions import copy_text, zero_text
from pullback.compiler.tangent.statements import Statements


def tangent_functions(program: Program, entry: Spec, shadows: Shadows, guards: str, wrt: tuple[str, ...]) -> tuple[
        list[gast.FunctionDef], list[Spec]]:
    """One function for each active specialised function that the entry reaches; the entry's own comes last."""
    found = followed(program, entry)
    names = Names({n for spec in found for n in spec.code.names.taken})
    labels = {entry: names.fresh(f"{entry.name}_tangent")}
    labels |= {spec: names.fresh(f"{spec.name}_tangent") for spec in found[1:]}
    made = [_function(program, s, shadows, guards, labels, wrt if s is entry else None) for s in found]
    return [*made[1:], made[0]], found


def _function(program: Program, spec: Spec, shadows: Shadows, guards: str, labels: dict[Spec, str],
              wrt: tuple[str, ...] | None) -> gast.FunctionDef:
    statements = Statements(program, spec, shadows, guards, labels)
    dotted = [p for p in parameters_of(spec) if program.is_varied(spec.parameters.get(p, Value("opaque"))) and (
        wrt is None or p in wrt)]
    received = [q for p in parameters_of(spec) for q in ([p, statements.dot_name(p)] if p in dotted else [p])]
    start = _copies(program, spec, statements, dotted) if wrt is not None else []
    start += [assign(statements.dot_name(p), zero_text(spec.parameters[p], name(p)))
              for p in parameters_of(spec) if p in statements.moving and p not in dotted and p in spec.parameters]
    last = spec.body[-1]
    assert isinstance(last, gast.Return)
    where = f"{short_path(spec.code.file)}:{spec.code.tree.lineno}"
    what = f" along {listed(tuple(statements.dot_name(p) for p in dotted))}" if dotted else ""
    doc = gast.Expr(constant(f"{spec.code.name} ({where}) and its tangent{what}."))
    body = [doc, *start, *guards_explained(statements.block(spec.body[:-1]), spec.code.lines), *statements.returned(last, wrt is not None)]
    return gast.FunctionDef(labels[spec], plain_arguments(received), body, [], None, None, [])


def _copies(program: Program, spec: Spec, statements: Statements, dotted: list[str]) -> list[gast.stmt]:
    """Arguments that are written, and their tangents, are copied first."""
    written: list[tuple[str, Value]] = []
    for parameter in parameters_of(spec):
        value = spec.parameters[parameter]
        if program.reached(value) & {program.root(s) for s in spec.written}:
            written.append((parameter, value))
    start: list[gast.stmt] = []
    exact = layout_matters(program)
    for variables in ([p for p, _ in written], [p for p, _ in written if p in dotted]):
        texts = [v if not start else statements.dot_name(v) for v in variables]
        values = [spec.parameters[v] for v in variables]
        if exact and all(v.kind == "array" for v in values):
            start += [assign(t, call("laid_out", name(t), name(v))) for t, v in zip(texts, variables)]
        else:
            start += _copied(spec, texts, values)
    return start


def _copied(spec: Spec, texts: list[str], values: list[Value]) -> list[gast.stmt]:
    if all(v.kind == "array" for v in values):
        return [assign(t, expression(copy_text(v), x=t)) for t, v in zip(texts, values)]
    if len(texts) == 1:
        return [assign(texts[0], call("copied", name(texts[0])))]
    memo = spec.code.names.fresh("copies")
    made: list[Any] = [assign(memo, gast.Dict([], []))]
    return [*made, *(assign(t, call("copied", name(t), name(memo))) for t in texts)]


JOINING = ("array", "asarray", "concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "append", "insert",
           "pad", "diag", "diagflat", "block_diag", "kron", "eye", "zeros", "resize", "maximum", "minimum", "fmax", "fmin")


def may_meet_zero(program: Program) -> str:
    """Can a tangent be zero at a place where a slope is infinite, though no mask or branch made it so?"""
    for spec in program.specs.values():
        if any(isinstance(n, (gast.For, gast.While)) for s in spec.body for n in every_node(s)):
            return "untaken"
        if any(getattr(f, "__name__", "") in JOINING for f in spec.facts.resolved.values()):
            return "untaken"
        if any(v.dtype == "bool" and v.kind == "array" for v in spec.facts.types.values()):
            return "untaken"
    return ""
