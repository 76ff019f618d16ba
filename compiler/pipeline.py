"""Source text in, adjoint text out: every pass, in order, once."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gast

from pullback.compiler.adjoint.assemble import gradient, pair_functions
from pullback.compiler.adjoint.expose import expose
from pullback.compiler.adjoint.needs import needs_of
from pullback.compiler.adjoint.sheet import Sheet, lay_out, plan
from pullback.compiler.analysis.infer import infer
from pullback.compiler.analysis.program import ActiveSet, Code, Interleaved, Program, Rebound, Spec
from pullback.compiler.analysis.shadows import Shadows, find_shadows
from pullback.compiler.analysis.values import CONTAINERS, Value
from pullback.compiler.emit.names_used import needed_names
from pullback.compiler.emit.printer import printed
from pullback.compiler.errors import UnsupportedError
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.walk import every_node
from pullback.compiler.normalise.context import followed, is_active
from pullback.compiler.normalise.flatten import flatten
from pullback.compiler.normalise.late_raises import find_late_raises
from pullback.compiler.normalise.realness import checked_real
from pullback.compiler.normalise.settled import settled
from pullback.compiler.optimise.dead import without_dead_code
from pullback.compiler.optimise.substitute import without_single_uses
from pullback.compiler.rules import load_rules
from pullback.compiler.stages import active_functions, forward_sweeps, functions_of

Stage = Callable[[str, list[gast.stmt]], None]


@dataclass
class Derivative:
    """A derivative as text, with the names of the primal's world that the text reads."""

    text: str
    entry: str
    outside: dict[str, tuple[Code, str]] = field(default_factory=dict)  # name in the text → where it is looked up
    runtime: tuple[str, ...] = ()  # runtime functions the text calls
    modules: dict[str, str] = field(default_factory=dict)  # "np" → "numpy"
    globals_read: list[tuple[Code, str, Any]] = field(default_factory=list)
    fixed: list[tuple[Code, str, Any]] = field(default_factory=list)  # globals that derivatives inside were compiled with
    result: Value = field(default_factory=lambda: Value("none"))
    functions: tuple[gast.FunctionDef, ...] = ()
    shared_written: tuple[tuple[str, str], ...] = ()
    written: tuple[str, ...] = ()  # the arrays among its parameters that it writes
    codes: dict[str, Code] = field(default_factory=dict)  # function of the text → what it was made from
    pair: Any = None
    result_kinds: tuple[str, ...] = ()  # of a pair: is each result's adjoint a "value", a "shadow" or "inert"?
    changed: tuple[str, ...] = ()  # the parameters that it writes into, or into something in them


def analysed(code: Code, parameters: dict[str, Value], program: Program) -> tuple[Program, Spec]:
    """Types, memory and activity of a program; raises all its refusals at once."""
    spec = Spec(code, 0, program.body_of("entry", code), dict(parameters))
    program.specs["entry"] = spec
    infer(program, spec)
    refuse(program)
    return program, spec


def refuse(program: Program) -> None:
    """Raise what was refused so far, in source order."""
    if program.problems:
        order = sorted(
            program.problems.values(),
            key=lambda d: (d.span.file, d.span.line, d.span.column) if d.span else ("", 0, 0),
        )
        raise UnsupportedError(*order)


Make = Callable[[Program], dict[str, Value]]


def rewritten(
    program: Program, form: str, rewrite: Callable[[Spec], list[gast.stmt]], specs: list[Spec] | None = None
) -> Program | None:
    """The active functions, or some of them, that are not of a form yet rewritten to it; None if that changed none.

    A function called with types that only rewriting brought to light comes late.
    """
    specs = [s for s in program.specs.values() if s.index == 0 or is_active(program, s)] if specs is None else specs
    late = [k for k, s in program.specs.items() if s in specs and form not in program.forms.setdefault(k, set())]
    before = {k: program.specs[k].body for k in late}
    for key in late:
        program.bodies[key] = program.specs[key].body = rewrite(program.specs[key])
        program.forms[key].add(form)
    refuse(program)
    return program.again() if any(program.bodies[k] is not body for k, body in before.items()) else None


def normal_form(code: Code, make: Make, program: Program | None = None) -> tuple[Program, Spec]:
    """The program with every active function flat, and its facts."""
    program = program or Program()
    while True:
        try:
            program, spec = analysed(code, make(program), program)
        except Rebound as rebound:
            program = program.with_frame(code, rebound)
            continue
        except Interleaved as found:
            program = program.with_steps(found)
            continue
        except ActiveSet as found_set:
            program = program.with_sets(found_set)
            continue
        program.late_raises = dict(find_late_raises(program))
        following = rewritten(program, "flat", functools.partial(flatten, program))
        following = following or rewritten(program, "settled", functools.partial(settled, program))
        following = following or rewritten(program, "real", functools.partial(checked_real, program))
        if following is None:
            return program, spec
        program = following


def prepared(
    code: Code, make: Make, show: Stage | None = None
) -> tuple[Program, Spec, Shadows, dict[Spec, str], str]:
    """The program in normal form, every value an adjoint reads under a name."""
    load_rules()
    program, spec = normal_form(code, make)
    if show is not None:
        show("normalised", functions_of(program))
        show("active", active_functions(program))
    guards = masks(program)
    while True:
        shadows, labels = find_shadows(program), labelled(program)
        called = followed(program, spec)  # and not what only an earlier round took for a call
        following = rewritten(program, "exposed", lambda s: expose(program, s, shadows, guards, labels), called)  # noqa: B023
        if following is None:
            break
        program, spec = normal_form(code, make, following)
    if show is not None:
        show("exposed", functions_of(program))
    return program, spec, shadows, labels, guards


def labelled(program: Program) -> dict[Spec, str]:
    """Names for the pairs of all functions called: none twice, and none of whose functions a text knows another."""
    taken = {n for spec in program.specs.values() for n in spec.code.names.taken}
    names = Names(n.removesuffix(end) for end in ("_forward", "_reverse") for n in taken if n.endswith(end))
    return {spec: names.fresh(spec.name) for spec in program.specs.values()}


def masks(program: Program) -> str:
    """Can an adjoint be zero because something was masked ("masked") or overwritten or not taken ("untaken")?"""
    found = ""
    for spec in program.specs.values():
        if any(_is_mask(spec, node) for node in spec.facts.types):
            return "masked"
        if any(isinstance(n, gast.If) for s in spec.body for n in every_node(s)):
            found = "untaken"
    if any(c.written and c.varied for c in program.heap.values()):
        return "untaken"
    return found


def _is_mask(spec: Spec, node: gast.AST) -> bool:
    if isinstance(node, gast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        return any(spec.facts.types.get(p, Value("opaque")).dtype == "bool" for p in parts)
    return isinstance(node, gast.Call) and getattr(spec.facts.resolved.get(node), "__name__", "") in MASKS


MASKS = (
    "where",
    "clip",
    "select",
    "choose",
    "piecewise",
    "compress",
    "extract",
    "nansum",
    "nanmean",
    "nan_to_num",
    "tril",
    "triu",
)


def differentiate(
    code: Code,
    make: Callable[[Program], dict[str, Value]],
    wrt: tuple[str, ...],
    *,
    single: bool,
    with_value: bool = False,
    as_pair: bool = False,
    show: Stage | None = None,
) -> Derivative:
    """The reverse-mode derivative of a function for a signature."""
    program, spec, shadows, labels, guards = prepared(code, make, show)
    sheets = _sheets(program, spec, shadows, guards, labels)
    refuse(program)
    if show is not None:
        show("recorded", forward_sweeps(sheets))
    functions: list[gast.FunctionDef] = []
    helpers: dict[str, str] = {}
    codes: dict[str, Code] = {}
    for sheet in sheets[1:]:
        made = pair_functions(sheet)
        codes |= {f.name: sheet.spec.code for f in made}
        functions += made
        helpers |= sheet.helpers
    entry_sheet = sheets[0]
    helpers |= entry_sheet.helpers
    suffix = "value_and_grad" if with_value else "grad"
    if as_pair:
        functions += pair_functions(entry_sheet)
        entry = entry_sheet.pair.forward
    else:
        entry = Names(n for s in sheets for n in s.spec.code.names.taken).fresh(f"{code.name}_{suffix}")
        functions.append(gradient(entry_sheet, wrt, entry, single, with_value))
    if show is not None:
        show("raw", list(functions))
    own = frozenset(n for s in sheets for n in s.spec.code.locals)
    functions = [without_single_uses(without_dead_code(f, program), own) for f in functions]
    functions = _called(functions, {entry, entry_sheet.pair.reverse})
    if show is not None:
        show("final", list(functions))
    parts = [printed(f).strip() for f in functions]
    text = "\n\n\n".join([*(h.strip() for _, h in sorted(helpers.items())), *parts]) + "\n"
    codes |= {f.name: code for f in functions if f.name not in codes}
    derivative = Derivative(text, entry, codes=codes, result=spec.result or Value("none"), functions=tuple(functions))
    derivative.shared_written, derivative.written = shared(program, spec), written_arrays(program, spec)
    derivative.pair = entry_sheet.pair
    derivative.result_kinds = tuple(
        "shadow" if shadows.has(r) else "value" if shadows.has_value_adjoint(r) else "inert"
        for r in entry_sheet.pair.results
    )
    derivative.changed = changed(program, spec)
    derivative.globals_read, derivative.fixed = list(program.globals_read.values()), list(program.fixed.values())
    helping = gast.parse("\n".join(helpers.values())).body
    needed_names(derivative, [s.spec.code for s in sheets], [*helping, *functions])
    return derivative


def _called(functions: list[gast.FunctionDef], entries: set[str]) -> list[gast.FunctionDef]:
    """The functions that these call, and themselves: a loop that only decides something may run a helper as it is."""
    by_name = {f.name: f for f in functions}
    reached: set[str] = set()
    pending = [n for n in entries if n in by_name]
    while pending:
        reached.add(word := pending.pop())
        names = {n.id for n in every_node(by_name[word]) if isinstance(n, gast.Name)}
        pending += [n for n in names & by_name.keys() if n not in reached]
    return [f for f in functions if f.name in reached]


def written_arrays(program: Program, spec: Spec) -> tuple[str, ...]:
    """The parameters, by the user's names, whose arrays the function may write."""
    roots = {program.root(site) for site in spec.written}
    return tuple(
        spec.code.aliases.get(p, p) for p, v in spec.parameters.items() if v.kind == "array" and program.roots(v) & roots
    )


def changed(program: Program, spec: Spec) -> tuple[str, ...]:
    """The parameters that lead to memory which the function writes."""
    roots = {program.root(site) for site in spec.written}
    return tuple(p for p, v in spec.parameters.items() if program.reached(v) & roots)


def shared(program: Program, spec: Spec) -> tuple[tuple[str, str], ...]:
    """(written, other): parameters that must not be, or hold, the same memory, by the user's names."""
    held = {spec.code.aliases.get(p, p): v for p, v in spec.parameters.items() if v.kind in ("array", *CONTAINERS)}
    roots = {program.root(site) for site in spec.written}
    written = [
        p for p, v in held.items() if v.sites & spec.written or v.kind != "array" and program.reached(v) & roots
    ]
    return tuple((w, o) for w in written for o in held if o != w or held[o].kind != "array")


def _sheets(program: Program, entry: Spec, shadows: Shadows, guards: str, labels: dict[Spec, str]) -> list[Sheet]:
    """The entry function and every active function it reaches."""
    found = followed(program, entry)
    plans = {s: plan(program, s, shadows, guards, labels) for s in found}
    refuse(program)
    memory, asked = needs_of(plans)
    return [lay_out(s, plans[s], memory, asked[s]) for s in found]
