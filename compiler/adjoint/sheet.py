"""One specialised function, planned step by step and laid out as a forward and a reverse sweep."""

import functools
from dataclasses import dataclass, field

import gast

from pullback.compiler.adjoint.activity import Activity, find_active
from pullback.compiler.adjoint.bars import Bar
from pullback.compiler.adjoint.calls import Pair
from pullback.compiler.adjoint.contribute import State
from pullback.compiler.adjoint.planner import Planner
from pullback.compiler.adjoint.recording import Need, Recorder
from pullback.compiler.adjoint.steps import Step
from pullback.compiler.adjoint.sweeps import Sweeps
from pullback.compiler.analysis.flow import Flow, Node, control_flow
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.reaching import Reaching, reaching_definitions
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import SCALARS, Value, identical
from pullback.compiler.ir.comments import guards_explained
from pullback.compiler.ir.template import (
    assign,
    constant,
    name,
)


@dataclass
class Sheet:
    """One specialised function, both sweeps laid out, before the functions around them are chosen."""

    spec: Spec
    pair: Pair
    forward: list[gast.stmt]
    reverse: list[gast.stmt]
    value: gast.expr
    result_bars: list[str]
    shadows_out: list[gast.expr]
    state: State
    sweeps: Sweeps
    helpers: dict[str, str] = field(default_factory=dict)


@dataclass
class Plan:
    """The steps of one specialised function, and what follows from them."""

    spec: Spec
    planner: Planner
    steps: dict[gast.stmt, Step]
    returned: Step
    seeds: tuple[list[str], list[gast.expr]]

    @functools.cached_property
    def flow(self) -> Flow:
        return control_flow(self.spec.body)

    @functools.cached_property
    def reaching(self) -> Reaching:
        return reaching_definitions(self.flow, [*self.spec.code.parameters, *self.spec.code.captured])

    @functools.cached_property
    def outputs(self) -> frozenset[str]:
        """Variables of the enclosing function that this one rebinds, with a value adjoint."""
        has = self.planner.shadows.has_value_adjoint
        return frozenset(o for o in self.spec.code.nonlocals if has(self.spec.outputs.get(o, Value("none"))))

    @functools.cached_property
    def activity(self) -> Activity:
        planner = self.planner

        def has_value_adjoint(step: Step, place: gast.Name) -> bool:
            return planner.shadows.has_value_adjoint(planner.type_of(getattr(place, "fact_of", place)))

        seeded = self.outputs | frozenset(self.returned.seeds)
        return find_active(self.flow, self.steps, has_value_adjoint, seeded)

    @functools.cached_property
    def recorder(self) -> Recorder:
        steps, after = self.steps, self.activity.after
        useful = {s: step.always or bool(after.get(s, frozenset()) & set(step.targets)) for s, step in steps.items()}
        useful[self.spec.body[-1]] = True

        def retested(s: gast.If) -> bool:
            return any(_works(i, useful, steps) for i in [*s.body, *s.orelse])

        return Recorder(self.planner.program, self.spec, steps, self.reaching, useful, retested, self._begun, self._reset, self._unused)

    def _begun(self, s: gast.stmt) -> set[str]:
        """The variables whose adjoints begin at a branch or loop, as zeros that need a shape which they may not keep."""
        inside, *outside = (self._active_from(n) for n in self.flow.of[s].successors)
        apart = inside - frozenset().union(*outside) if isinstance(s, (gast.For, gast.While)) else inside.symmetric_difference(*outside)
        return {v for v in apart if not self._has_one_shape(v)}

    def _reset(self, loop: gast.stmt) -> set[str]:
        """The variables that a round of a loop overwrites, and what follows it reads: their adjoints are zeros before it."""
        inside, *_ = (self._active_from(n) for n in self.flow.of[loop].successors)
        return {v for v in self.activity.before.get(loop, frozenset()) - inside if not self._has_one_shape(v)}

    def _unused(self, step: Step) -> set[str]:
        """The results among several that nothing active is made of."""
        wanted = step.call.wanted if step.call is not None else step.targets if len(step.targets) > 1 else ()
        after = self.activity.after.get(step.statement, frozenset())
        return {v for v in wanted if v not in after and not self._has_one_shape(v)}

    def _active_from(self, node: Node) -> frozenset[str]:
        seeded = self.outputs | frozenset(self.returned.seeds)
        return seeded if node.statement is None else self.activity.before.get(node.statement, frozenset())

    def _has_one_shape(self, variable: str) -> bool:
        envs = [self.spec.parameters, *self.spec.facts.after.values()]
        values = [env[variable] for env in envs if variable in env]
        first = values[0] if values else Value("float")
        if all(v.kind in SCALARS for v in values):
            return True
        return all(v.kind == "array" and identical(v.dims, first.dims) for v in values)


def plan(program: Program, spec: Spec, shadows: Shadows, guards: str, labels: dict[Spec, str]) -> Plan:
    """What each statement of a specialised function does in both sweeps."""
    planner = Planner(program, spec, shadows, guards, labels)
    body, last = spec.body[:-1], spec.body[-1]
    assert isinstance(last, gast.Return)
    steps: dict[gast.stmt, Step] = {}
    _plan(planner, body, steps)
    seeds, returned = _returned(planner, spec, last)
    steps[last] = returned
    return Plan(spec, planner, steps, returned, seeds)


def lay_out(spec: Spec, made: Plan, memory: dict[Spec, Need], asked: Need) -> Sheet:
    """Both sweeps of a specialised function."""
    planner, steps, returned, seeds = made.planner, made.steps, made.returned, made.seeds
    body, last = spec.body[:-1], spec.body[-1]
    assert isinstance(last, gast.Return)
    if spec.index == 0:  # the arguments' own shadows are what the reverse sweep ends with
        own = planner.calls.pair(spec).shadowed
        asked = asked | {("name", planner.expressions.bar_of(p, spec.parameters[p])) for p in own}
    recording = made.recorder.run(spec.body, memory, asked)
    sweeps = Sweeps(planner, steps, recording, made.activity, made.reaching)
    forward = guards_explained(sweeps.forward(body), spec.code.lines)
    state: State = {**dict.fromkeys(made.outputs, False), **returned.seeds}
    start = [*sweeps.comment_list(last), *sweeps.reverse_step(returned, state)] if _has_work(returned) else []
    reverse = [*start, *sweeps.reverse(body, state)]
    pair = planner.calls.pair(spec)
    entered = {planner.expressions.bar_of(p, spec.parameters[p]) for p in pair.shadowed}  # on the way in
    forward = [*(assign(v, constant(None)) for v in sorted(recording.unbound - entered)), *sweeps.declared, *forward]
    helpers = {k: v for step in steps.values() for k, v in step.contributions.helpers.items()}
    return Sheet(
        spec,
        pair,
        forward,
        reverse,
        last.value or constant(None),
        seeds[0],
        seeds[1],
        state,
        sweeps,
        helpers,
    )


def _has_work(step: Step) -> bool:
    return bool(step.contributions.found or step.contributions.loops or step.contributions.prelude)


def _works(s: gast.stmt, useful: dict[gast.stmt, bool], steps: dict[gast.stmt, Step]) -> bool:
    if s in steps:
        return useful.get(s, False) or bool(steps[s].saves) or bool(steps[s].defines)
    return any(_works(i, useful, steps) for f in ("body", "orelse") for i in getattr(s, f, []))


def _plan(planner: Planner, body: list[gast.stmt], steps: dict[gast.stmt, Step]) -> None:
    for s in body:
        if isinstance(s, (gast.If, gast.For, gast.While, gast.With)):
            planner.refuse_either(s)
            _plan(planner, s.body, steps)
            _plan(planner, getattr(s, "orelse", []), steps)
        elif not isinstance(s, gast.Break):
            planner.statement = s
            steps[s] = planner.step(s)


def _returned(planner: Planner, spec: Spec, last: gast.Return) -> tuple[tuple[list[str], list[gast.expr]], Step]:
    """The step of the return: the seeds of the reverse sweep."""
    pair = planner.calls.pair(spec)
    values = last.value.elts if pair.several and isinstance(last.value, gast.Tuple) else [last.value or constant(None)]
    step = Step(last, [], always=True)
    bars: list[str] = []
    shadows: list[gast.expr] = []
    planner.statement = last
    for i, (node, value) in enumerate(zip(values, pair.results)):
        if planner.shadows.has(value):
            containers = planner.containers
            varied = planner.varied(node)
            shadows.append(containers.element_shadow(node) if varied else containers.zeros_of(node, value))
        elif (
            isinstance(node, gast.Name)
            and node.id not in step.seeds
            and node.id not in spec.code.nonlocals
            and planner.shadows.has_value_adjoint(planner.type_of(node))
        ):
            bars.append(planner.names.bar(node.id))  # the seed is the variable's own adjoint
            step.seeds[node.id] = False
        elif planner.shadows.has_value_adjoint(value):
            bars.append(planner.names.fresh("out_bar" if len(pair.results) == 1 else f"out{i}_bar"))
            inner = planner.expressions.adjoint(node, Bar(name(bars[-1])))
            step.contributions.prelude += inner.prelude
            step.contributions.found += inner.found
            step.contributions.loops += inner.loops
            step.contributions.helpers |= inner.helpers
    planner.note_shadows(step)
    return (bars, shadows), step
