"""The generated functions around the two sweeps: one gradient, or a forward and reverse pair."""

import gast
import numpy as np

from pullback.compiler.adjoint.sheet import Sheet
from pullback.compiler.analysis.effects import layout_matters
from pullback.compiler.analysis.flow import control_flow
from pullback.compiler.analysis.program import Spec
from pullback.compiler.analysis.reaching import reaching_definitions
from pullback.compiler.analysis.values import SCALARS, Value, identical
from pullback.compiler.analysis.zeros import zeros_like
from pullback.compiler.ir.nodes import Blank
from pullback.compiler.ir.template import (
    add,
    assign,
    call,
    clone,
    constant,
    expression,
    name,
)
from pullback.compiler.ir.walk import assigned, every_node, names_in, reads


def gradient(sheet: Sheet, wrt: tuple[str, ...], entry_name: str, single: bool, with_value: bool) -> gast.FunctionDef:
    """`f_grad(x, out_bar=1.0)`: both sweeps in one function."""
    spec = sheet.spec
    parameters = clone(spec.code.tree.args)
    seed = sheet.result_bars[0] if sheet.result_bars else spec.code.names.fresh("out_bar")
    _strip(parameters)
    seed_parameter = gast.Name(seed, gast.Param(), None, None)
    if parameters.vararg is not None or parameters.kwarg is not None or parameters.kwonlyargs:
        parameters.kwonlyargs.append(seed_parameter)
        parameters.kw_defaults.append(constant(1.0))
    else:
        parameters.args.append(seed_parameter)
        parameters.defaults = [*_constants(parameters.defaults), constant(1.0)]
    results = [_gradient_of(sheet, p) for p in wrt]
    finals: list[gast.stmt] = []
    value: gast.expr | None = None
    forward = list(sheet.forward)
    if with_value:
        value = clone(sheet.value)
        if (
            not isinstance(value, (gast.Name, gast.Constant))
            or isinstance(value, gast.Name)
            and _rebound(value.id, sheet.reverse)
        ):
            held = spec.code.names.fresh("value")
            forward.append(assign(held, value))
            value = name(held)
    grads: gast.expr = results[0] if single else gast.Tuple(results, gast.Load())
    finals.append(gast.Return(gast.Tuple([value, grads], gast.Load()) if value is not None else grads))
    start = _entrance(sheet, wrt)
    where = f"{short_path(spec.code.file)}:{spec.code.tree.lineno}"
    what = "Value and gradient" if with_value else "Gradient"
    docstring = f"{what} of {spec.code.name} ({where}) with respect to {listed(wrt)}."
    evaluated = [] if with_value or _fits(sheet) else [gast.Expr(clone(sheet.value))]
    evaluated = _result_checks(sheet) or evaluated
    seeded = [add(_whole(shadow), name(seed)) for shadow in sheet.shadows_out if _is_numeric(spec)]
    body = [gast.Expr(constant(docstring)), *start, *forward, *evaluated, Blank(), *seeded, *sheet.reverse, *finals]
    return gast.FunctionDef(entry_name, parameters, body, [], None, None, [])


def _result_checks(sheet: Sheet) -> list[gast.stmt]:
    """What only the value itself can tell: is it there, and real?"""
    result = sheet.spec.result
    checks: list[gast.stmt] = []
    if result is not None and result.optional and isinstance(sheet.value, gast.Name):
        checks.append(gast.Expr(call("refuse_none", clone(sheet.value), constant(sheet.spec.code.name))))
    if result is not None and result.perhaps_complex:
        checks.append(gast.Expr(call("refuse_complex", clone(sheet.value), constant("the result"))))
    return checks


def _fits(sheet: Sheet) -> bool:
    """Is the value a product of two vectors known to be of one length, so that computing it cannot raise?"""
    node, planner = sheet.value, sheet.sweeps.planner
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult):
        sides = [node.left, node.right]
    elif isinstance(node, gast.Call) and sheet.spec.facts.resolved.get(node) in (np.dot, np.vdot, np.inner):
        sides = list(node.args)
    else:
        return False
    shapes = [planner.type_of(s).dims for s in sides if isinstance(s, gast.Name)]
    return len(shapes) == 2 and len(shapes[0] or ()) == 1 and identical(*shapes)


def _is_numeric(spec: Spec) -> bool:
    """Does the function return a number or an array, whose shadow, if it has one, begins with the seed?"""
    return spec.result is not None and spec.result.numeric


def _whole(shadow: gast.expr) -> gast.expr:
    """The shadow of an array as a place to add to."""
    return (
        clone(shadow)
        if isinstance(shadow, (gast.Name, gast.Subscript))
        else gast.Subscript(clone(shadow), constant(Ellipsis), gast.Load())
    )


def _rebound(variable: str, body: list[gast.stmt]) -> bool:
    return any(
        isinstance(n, gast.Name) and n.id == variable and isinstance(n.ctx, gast.Store)
        for s in body
        for n in every_node(s)
    )


def _entrance(sheet: Sheet, wrt: tuple[str, ...]) -> list[gast.stmt]:
    """Arguments that are written are copied first; those with a shadow get one."""
    spec, planner = sheet.spec, sheet.sweeps.planner
    start: list[gast.stmt] = []
    copies = []
    exact = layout_matters(planner.program)
    for parameter in sheet.pair.parameters:
        value = spec.parameters[parameter]
        if planner.program.reached(value) & {planner.program.root(s) for s in spec.written}:
            copies.append((parameter, value))
    if len(copies) == 1 or all(v.kind == "array" for _, v in copies):
        for parameter, value in copies:
            flat = value.rank is not None and value.rank < 2
            whole = "laid_out(x, x)" if exact else "x.copy()" if flat else 'x.copy("K")'
            text = whole if value.kind == "array" else "copied(x)"
            start.append(assign(parameter, expression(text, x=parameter)))
    else:
        memo = spec.code.names.fresh("copies")
        start.append(assign(memo, gast.Dict([], [])))
        start += [assign(p, call("copied", name(p), name(memo))) for p, _ in copies]
    for parameter in sheet.pair.shadowed:
        value = spec.parameters[parameter]
        bar = planner.expressions.bar_of(parameter, value)
        plain = value.kind == "array" and value.dtype.startswith(("float", "complex"))
        zeros = call("laid_out", constant(0.0), name(parameter)) if exact else call("np.zeros_like", name(parameter))
        made = zeros if plain else planner.containers.zeros_of(name(parameter), value)
        start.append(assign(bar, made))
    start += [_kept_zeros(spec, p) for p in wrt if _lost(sheet, p)]
    return start


def _lost(sheet: Sheet, parameter: str) -> bool:
    """Is a parameter without effect bound to something else by the time its zero adjoint is made?"""
    if parameter in sheet.pair.shadowed or parameter in sheet.state:
        return False
    value = sheet.spec.parameters[parameter]
    return value.kind not in SCALARS and any(parameter in assigned(s) for s in sheet.spec.body)


def _kept_zeros(spec: Spec, parameter: str) -> gast.stmt:
    return assign(spec.code.names.partner(parameter, "zeros"), call("zeros", name(parameter)))


def _gradient_of(sheet: Sheet, parameter: str) -> gast.expr:
    spec = sheet.spec
    value = spec.parameters[parameter]
    if _lost(sheet, parameter):
        return name(spec.code.names.partner(parameter, "zeros"))
    if parameter in sheet.pair.shadowed or parameter in sheet.state:
        return name(sheet.sweeps.planner.expressions.bar_of(parameter, value))
    if value.kind in SCALARS:
        return constant(0.0)
    if value.kind == "array":
        return zeros_like(value, name(parameter))
    return call("zeros", name(parameter))


def pair_functions(sheet: Sheet) -> list[gast.FunctionDef]:
    """`f_forward(x) → result, saved` and `f_reverse(saved, out_bar) → adjoints`."""
    spec, pair = sheet.spec, sheet.pair
    names = spec.code.names
    bar_of = sheet.sweeps.planner.expressions.bar_of
    received = [p for q in pair.parameters for p in ([q, bar_of(q, spec.parameters[q])] if q in pair.shadowed else [q])]
    value_parts = list(sheet.value.elts) if pair.several and isinstance(sheet.value, gast.Tuple) else [sheet.value]
    outputs = [name(o) for o in pair.outputs]
    grads: list[gast.expr] = []
    for parameter in pair.returned:
        if _lost(sheet, parameter):
            grads.append(name(names.partner(parameter, "zeros")))
        elif parameter in sheet.state:
            grads.append(name(names.bar(parameter)))
        else:
            value = spec.parameters[parameter]
            grads.append(constant(0.0) if value.kind in SCALARS else call("zeros", name(parameter)))
    output_bars = [
        names.bar(o)
        for o in pair.outputs
        if sheet.sweeps.planner.shadows.has_value_adjoint(spec.outputs.get(o, Value("none")))
    ]
    tail = list(sheet.reverse)
    if grads:
        tail.append(gast.Return(grads[0] if len(grads) == 1 else gast.Tuple(grads, gast.Load())))
    bars = [*sheet.result_bars, *output_bars]
    lost = [_kept_zeros(spec, p) for p in pair.returned if _lost(sheet, p)]
    forward = [*lost, *sheet.forward]
    saved_names = sorted(_free(tail, set(bars)) & _bound(forward, set(received)))
    saved: gast.expr = (
        gast.Tuple([name(n) for n in saved_names], gast.Load()) if len(saved_names) != 1 else name(saved_names[0])
    )
    returned = [*(clone(v) for v in value_parts), *(clone(v) for v in sheet.shadows_out), *outputs, saved]
    unsure = [n for n in saved_names if n not in _certain(forward, received)]
    forward_body: list[gast.stmt] = [
        *(assign(n, constant(None)) for n in unsure),
        *forward,
        gast.Return(gast.Tuple(returned, gast.Load()) if len(returned) > 1 else returned[0]),
    ]
    take: list[gast.stmt] = []
    saved_name = names.fresh("saved")
    if len(saved_names) == 1:
        take = [assign(saved_names[0], name(saved_name))]
    elif saved_names:
        take = [
            gast.Assign([gast.Tuple([name(n, store=True) for n in saved_names], gast.Store())], name(saved_name), None)
        ]
    where = f"{short_path(spec.code.file)}:{spec.code.tree.lineno}"
    doc = gast.Expr(constant(f"{spec.code.name} ({where}), with what its reverse needs."))
    doc_back = gast.Expr(
        constant(
            f"Adjoints of {listed(pair.returned) or 'the memory that'} {'' if pair.returned else f'{spec.code.name} writes'}".strip()
            + "."
        )
    )
    given = plain_arguments([saved_name, *bars])
    return [
        gast.FunctionDef(pair.forward, plain_arguments(received), [doc, *forward_body], [], None, None, []),
        gast.FunctionDef(pair.reverse, given, [doc_back, *take, *tail], [], None, None, []),
    ]


def _free(body: list[gast.stmt], bound: set[str]) -> set[str]:
    """Names the reverse reads before it sets them, on some path."""
    from pullback.compiler.analysis.liveness import live_variables

    flow = control_flow([gast.Pass(), *body])
    live = live_variables(flow)
    first = flow.nodes[1].statement
    assert first is not None
    return set(live.after.get(first, frozenset())) - bound - _own_counters(body)


def _own_counters(body: list[gast.stmt]) -> set[str]:
    """Loop variables of the reverse sweep that nothing outside their loops reads."""
    targets: set[str] = set()
    outside: set[str] = set()

    def visit(block: list[gast.stmt], inside: frozenset[str]) -> None:
        for s in block:
            own = inside
            if isinstance(s, gast.For):
                own = inside | names_in(s.target)
                targets.update(own)
                outside.update(reads(s.iter) - inside)
            elif isinstance(s, (gast.If, gast.While)):
                outside.update(reads(s.test) - inside)
            elif not isinstance(s, gast.With):
                outside.update(reads(s) - inside)
            for f in ("body", "orelse"):
                visit(getattr(s, f, []), own)

    visit(body, frozenset())
    return targets - outside


def _certain(forward: list[gast.stmt], parameters: list[str]) -> set[str]:
    """Names bound on every path through the forward sweep."""
    flow = control_flow(forward)
    reaching = reaching_definitions(flow, parameters)
    names = {d for d, _ in reaching.at_exit} | set(parameters)
    return {n for n in names if n in parameters or (n, None) not in reaching.at_exit}


def _bound(forward: list[gast.stmt], parameters: set[str]) -> set[str]:
    return parameters | {n for s in forward for n in assigned(s)}


def plain_arguments(parameters: list[str]) -> gast.arguments:
    return gast.arguments([gast.Name(p, gast.Param(), None, None) for p in parameters], [], None, [], [], None, [])


def _strip(parameters: gast.arguments) -> None:
    for p in [
        *parameters.posonlyargs,
        *parameters.args,
        *parameters.kwonlyargs,
        *([parameters.vararg] if parameters.vararg else []),
        *([parameters.kwarg] if parameters.kwarg else []),
    ]:
        p.annotation = None
    parameters.kw_defaults = [d if d is None else _constants([d])[0] for d in parameters.kw_defaults]


def _constants(defaults: list[gast.expr]) -> list[gast.expr]:
    """Defaults as written, where they are literals; others are always passed."""
    return [
        d if not reads(d) and not any(isinstance(n, gast.Call) for n in every_node(d)) else constant(None)
        for d in defaults
    ]


def listed(wrt: tuple[str, ...]) -> str:
    return wrt[0] if len(wrt) == 1 else f"{', '.join(wrt[:-1])} and {wrt[-1]}" if wrt else ""


def short_path(file: str) -> str:
    return file.rsplit("/", 1)[-1]
