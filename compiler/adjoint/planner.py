"""Turns the simple statements of a function into steps: forward part, shadows, contributions."""

from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Bar, Contribution, Contributions
from pullback.compiler.adjoint.calls import Calls
from pullback.compiler.adjoint.container_methods import ContainerMethods
from pullback.compiler.adjoint.containers import ContainerSteps
from pullback.compiler.adjoint.context import Context
from pullback.compiler.adjoint.expressions import Expressions
from pullback.compiler.adjoint.inert import BLOCKS, InertSteps
from pullback.compiler.adjoint.operands import is_plain_call
from pullback.compiler.adjoint.steps import Step
from pullback.compiler.adjoint.views import Views
from pullback.compiler.adjoint.writes import Writes
from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value
from pullback.compiler.analysis.zeros import zeros_like
from pullback.compiler.ir.template import assign, call, clone, constant, name
from pullback.compiler.ir.walk import assigned, free_variables, indices_of, is_permutation, reads, root_of
from pullback.compiler.normalise.context import is_active
from pullback.compiler.rules.language import rule_of


class Planner(Context):
    """Makes the Step of each statement of one specialised function."""

    def __init__(
        self,
        program: Program,
        spec: Spec,
        shadows: Shadows,
        guards: str,
        labels: dict[Spec, str],
        hold: Callable[[gast.expr], None] | None = None,
    ) -> None:
        super().__init__(program, spec, shadows, Expressions(program, spec, shadows, guards, hold), hold)
        self.statement: gast.stmt | None = None  # the one at hand
        self.labels = labels  # of the functions called
        self.views = Views(self)
        self.writes = Writes(self)
        self.containers = ContainerSteps(self)
        self.container_methods = ContainerMethods(self)
        self.calls = Calls(self)
        self.inert = InertSteps(self)
        self.nested_reads = nested_reads(spec.body)
        self.globals = free_variables(spec.code.tree) - {*spec.code.captured, *spec.code.nonlocals}  # they have no shadows
        self.shadowed = {
            variable: value
            for env in spec.facts.after.values()
            for variable, value in env.items()
            if value.numeric and shadows.has(value)
        }  # somewhere
        self.turning = {
            variable for env in spec.facts.after.values() for variable, value in env.items() if value.perhaps_complex
        }  # complex on some paths
        self.ever_shadowed = {
            variable: self.expressions.bar_of(variable, value)
            for env in spec.facts.after.values()
            for variable, value in env.items()
            if (value.kind in CONTAINERS or value.optional) and shadows.has(value)
        }

    # -- dispatch -----------------------------------------------------------------------------

    def step(self, s: gast.stmt) -> Step:
        """The step of a simple statement."""
        self.expressions.meets_zero = self._meets_zero(s)
        step = self._step(s)
        self.inert.keep_rest(step)
        self.note_shadows(step)
        return step

    def _meets_zero(self, s: gast.stmt) -> bool:
        """May the adjoint of what a statement assigns be zero because a path was not taken or memory overwritten?"""
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name):
            target = s.targets[0].id
            return s in self.nested_reads or target in self.nested_reads or self.shadows.has(self.after(s, target))
        return True

    def note_shadows(self, step: Step) -> None:
        """Which shadows the contributions are added into."""
        for c in step.contributions.found:
            root = root_of(getattr(c.place, "fact_of", c.place))
            if self.shadows.has(self.type_of(root)):
                step.shadow_reads.add(self.expressions.bar_place(root).id)  # type: ignore[attr-defined]

    def needs_statement(self, s: gast.stmt, target: str) -> bool:
        """Is it a number in a variable that holds an array elsewhere, so that a number has a shadow too?

        Or bound by a loop over what is inert, and active before it? Only an assignment of its own ends the old adjoint.
        """
        value = self.after(s, target)
        if isinstance(s, gast.For):
            mirrored = target in self.ever_shadowed or target in self.shadowed
            return not _handed_on(s, target) and (mirrored or self.program.is_varied(value))
        return bool(value.beside) and self.shadows.has(value)

    def plain_value(self, s: gast.stmt) -> bool:
        """Is it an assignment to a variable of something computed: no result of a function, and nothing popped?"""
        if not isinstance(s, gast.Assign) or not isinstance(s.targets[0], gast.Name):
            return False
        fact = self.facts.calls.get(s.value)
        popped = isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Attribute) and s.value.func.attr == "pop"
        return not popped and (fact is None or not is_active(self.program, fact.callee))

    def refuse_either(self, s: gast.stmt) -> None:
        """A number in a variable that is an array with a shadow on another path, where it is given none."""
        if self.hold is not None or self.plain_value(s) or is_swap(s):
            return
        block = isinstance(s, BLOCKS)
        names = self.shadowed.keys() & assigned(s) - self.inert.bound_by(s) if block else head_assigns(s)
        for target in sorted(n for n in names if block or self.needs_statement(s, n)):
            self.refuse(
                s,
                f"cannot tell whether `{target}` is a number or an array",
                "It is a number on one path and on another an array that is written, or held by a container.",
                "use two names, or arrays on every path",
            )

    def _step(self, s: gast.stmt) -> Step:
        self.refuse_either(s)
        if isinstance(s, gast.Assign) and len(s.targets) == 1:
            target = s.targets[0]
            if isinstance(target, gast.Name):
                return self._assignment(s, target)
            if isinstance(target, (gast.Subscript, gast.Attribute)):
                return self.writes.write(s, target, s.value, None)
            if isinstance(target, gast.Tuple):
                return self._several(s, target)
        if isinstance(s, gast.AugAssign):
            return self.writes.augmented(s)
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call):
            call_step = self._call_statement(s, s.value)
            if call_step is not None:
                return call_step
        return self.inert.step(s)

    # -- assignments to names -----------------------------------------------------------------

    def _assignment(self, s: gast.Assign, target: gast.Name) -> Step:
        value = self.after(s, target.id)
        if isinstance(s.value, gast.Call):
            fact = self.facts.calls.get(s.value)
            if fact is not None and is_active(self.program, fact.callee):
                return self.calls.step_of(s, s.value, fact, [target])
            popped = self.container_methods.popped(s, target, s.value)
            if popped is not None:
                return popped
        integers = value.kind == "array" and not value.smooth  # in memory that is written to as if it were of floats
        if not self.shadows.has(value) and (integers or not self.program.is_varied(value)):
            return self.inert.step(s)
        step = Step(s, [s], defines={target.id})
        if self.shadows.has(value):
            self._shadowed(step, s, target.id)
            return step
        step.target, step.targets = target.id, (target.id,)
        bar: gast.expr = name(self.names.bar(target.id))
        if target.id in self.turning and not self.type_of(s.value).is_complex:
            bar = call("np.real", bar)
        step.contributions = self.expressions.adjoint(s.value, Bar(bar), target.id)
        self._note_new(step, target.id)
        return step

    def _note_new(self, step: Step, target: str) -> None:
        """Does the adjoint read the result of its own statement?"""
        texts = texts_of(step.contributions)
        if target not in reads(step.statement.value) and any(target in reads(t) for t in texts):  # type: ignore[attr-defined]
            step.reads_new.add(target)
        elif self.expressions.result_of is not None and any(target in reads(t) for t in texts):
            own = step.statement.value  # type: ignore[attr-defined]
            if is_plain_call(own) and not self._reads_operand(own, texts, target):
                step.reads_new.add(target)

    def _reads_operand(self, own: gast.Call, texts: list[Any], target: str) -> bool:
        function = self.facts.resolved.get(own)
        rule = rule_of(function)
        if rule is None or rule.form != "elementwise":
            return True
        return not all(reads(p) <= {rule.text.results[0], "np", "math"} for p in rule.text.partials.values())

    def _shadowed(self, step: Step, s: gast.Assign, target: str) -> None:
        """The target's shadow is made or mirrored in the forward sweep."""
        bar = self.shadow_of(s, target)
        step.defines.add(bar)
        step.always = True
        number = self.after(s, target).kind in SCALARS
        mirrored = self.views.mirrored_object(s.value)
        if mirrored is not None:
            if target in reads(mirrored):  # an index by the old value
                step.forward.insert(0, assign(bar, mirrored))
            else:
                step.forward.append(assign(bar, mirrored))
            if self.views.may_copy(s.value):
                self.views.give_back(step, s.value, bar)
            return
        kind = self.type_of(s.value).kind
        if kind in CONTAINERS and kind != "function" and not self.containers.is_display(s.value):
            self.refuse(
                s.value,
                "cannot follow this container",
                "It is made in a way that hides which of its elements come from where.",
                "build it element by element, in a loop or a comprehension",
            )
            return
        made = self.views.new_shadow(s.value, target)
        before = self.facts.before.get(s, {}).get(target, Value("opaque"))
        if (target in reads(s.value) and self.shadows.has(before)) or bar in reads(made):
            old = self.names.fresh(f"new_{bar}")
            step.take.append(assign(old, name(bar)))
            step.reads_both.add(bar)
            source = Bar(gast.UnaryOp(gast.UAdd(), name(old)) if number else name(old))
        else:
            source = Bar(gast.UnaryOp(gast.UAdd(), name(bar)) if number else name(bar))
        display = self.containers.is_display(s.value)
        if display and target in reads(s.value):  # the elements' own values, which the target replaces
            step.forward.insert(0, assign(bar, made))
        else:
            step.forward.append(assign(bar, made))
        step.contributions = (
            self.containers.adjoint(s.value, source.text)
            if display
            else (self.expressions.adjoint(s.value, Bar(source.text, fresh=True), target))
        )
        step.reads_new.add(bar)
        self._note_new(step, target)

    # -- several targets ------------------------------------------------------------------------

    def _several(self, s: gast.Assign, target: gast.Tuple) -> Step:
        if isinstance(s.value, gast.Call):
            fact = self.facts.calls.get(s.value)
            if fact is not None and is_active(self.program, fact.callee):
                return self.calls.step_of(s, s.value, fact, list(target.elts))
            if self.varied(s.value) and s.value in self.facts.resolved:
                return self._several_results(s, target)
        if is_swap(s):
            return self._swap(s, target)
        if self.varied(s.value):
            self.refuse(s, "cannot take this apart", "", "assign the parts one by one")
        return self.inert.step(s)

    def _several_results(self, s: gast.Assign, target: gast.Tuple) -> Step:
        """w, v = np.linalg.eigh(a): one rule with several results."""
        mirrored = self._mirrored_parts(s, target)
        if mirrored is not None:
            return mirrored
        step = Step(s, [s])
        bars: dict[str, gast.expr | None] = {}
        targets = []
        for i, element in enumerate(target.elts):
            assert isinstance(element, gast.Name)
            step.defines.add(element.id)
            bars[f"value {i}"] = name(element.id)
            value = self.after(s, element.id)
            if self.shadows.has(value):
                self._shadowed_result(step, s, element.id)
                bars[f"bar {i}"] = name(self.shadow_of(s, element.id))
            elif self.program.is_varied(value):
                bars[f"bar {i}"] = name(self.names.bar(element.id))
                targets.append(element.id)
            step.reads_new.add(element.id)
        step.targets = tuple(targets)
        self.expressions.results = bars
        step.contributions = self.expressions.adjoint(s.value, Bar(constant(0.0)))
        self.expressions.results = {}
        return step

    def _mirrored_parts(self, s: gast.Assign, target: gast.Tuple) -> Step | None:
        """a, b = np.split(u, 2): the parts are views, and their shadows the same parts of u's."""
        node: Any = s.value
        rule = rule_of(self.facts.resolved[node])
        if rule is None or not rule.view or not node.args or not self.shadows.has(self.type_of(node.args[0])):
            return None
        if any(self.varied(a) for a in node.args[1:]):
            return None
        inner = self.views.mirrored(node.args[0])
        if inner is None or self.views.may_copy(node.args[0]):  # a copy gives back what it gathers, by its name
            if self.hold is not None:
                self.hold(node.args[0])
                return Step(s, [s])
            if inner is None:
                return None
        parts = [e.id for e in target.elts if isinstance(e, gast.Name)]
        bars = [self.shadow_of(s, p) for p in parts]
        new = clone(node)
        new.args[0] = inner
        step = Step(s, [s], always=True)
        step.forward.append(gast.Assign([gast.Tuple([name(b, store=True) for b in bars], gast.Store())], new, None))
        step.defines = {*parts, *bars}
        step.reads_new = set(bars)
        return step

    def _shadowed_result(self, step: Step, s: gast.Assign, target: str) -> None:
        value, bar = self.after(s, target), self.shadow_of(s, target)
        if self.views.is_view(s.value) and value.sites & self.type_of(s.value.args[0]).sites:  # type: ignore[attr-defined]
            self.refuse(
                s,
                "cannot follow writes through these views",
                "The parts of an array are views, and it is written.",
                "take the parts by slices",
            )
        step.forward.append(assign(bar, zeros_like(value, name(target))))
        step.defines.add(bar)
        step.reads_new.add(bar)
        step.always = True

    def _swap(self, s: gast.Assign, target: gast.Tuple) -> Step:
        """cur, nxt = nxt, cur: the shadows change places with their variables, and back."""
        step = Step(s, [s], swap=True)
        sources = [e.id for e in s.value.elts]  # type: ignore[attr-defined]
        targets = [e.id for e in target.elts]  # type: ignore[attr-defined]
        step.defines = set(targets)
        step.targets = tuple(targets)
        shadowed = [(t, v) for t, v in zip(targets, sources) if self.shadows.has(self.after(s, t))]
        if shadowed:
            bars = [
                (self.shadow_of(s, t), self.expressions.bar_of(v, self.type_of(e)))
                for t, v, e in zip(targets, sources, s.value.elts)
            ]
            step.bars = bars
            step.forward.append(_permuted([b for b, _ in bars], [v for _, v in bars]))
            step.defines |= {b for b, _ in bars}
            step.always = True
        return step

    # -- calls of user functions ----------------------------------------------------------------

    def _call_statement(self, s: gast.Expr, node: gast.Call) -> Step | None:
        fact = self.facts.calls.get(node)
        if fact is not None and is_active(self.program, fact.callee):
            return self.calls.step_of(s, node, fact, [])
        return self.container_methods.method_call(s, node)


def is_swap(s: gast.stmt) -> bool:
    """a, b = b, a: names that change places."""
    if not isinstance(s, gast.Assign) or not isinstance(s.targets[0], gast.Tuple) or not isinstance(s.value, gast.Tuple):
        return False
    return is_permutation(s.targets[0], s.value)


def _permuted(targets: list[str], sources: list[str]) -> gast.Assign:
    return gast.Assign(
        [gast.Tuple([name(t, store=True) for t in targets], gast.Store())],
        gast.Tuple([name(v) for v in sources], gast.Load()),
        None,
    )


def nested_reads(body: list[gast.stmt], inside: bool = False) -> set[Any]:
    """Names read, and statements, inside branches and loops."""
    found: set[Any] = set()
    for s in body:
        compound = isinstance(s, (gast.If, gast.For, gast.While))
        if inside and not compound:
            found |= {s, *reads(s)}
        for f in ("body", "orelse"):
            found |= nested_reads(getattr(s, f, []), inside or compound)
    return found


def texts_of(contributions: Contributions) -> list[Any]:
    """Every piece of text that a step's contributions run."""
    return [
        *contributions.prelude,
        *(c.text for c in contributions.found),
        *(text for c in contributions.found for text in _place_texts(c)),
        *contributions.loops,
    ]


def _place_texts(c: Contribution) -> list[gast.expr]:
    """What finding a place reads: its indices, and the shape of what it lies in where an adjoint may begin there."""
    if isinstance(c.place, gast.Name):
        return []
    return indices_of(c.place) if c.mirrored else [call("np.shape", c.place)]


def _handed_on(s: gast.For, target: str) -> bool:
    """Is the target of a loop nothing but what another variable gets? (for given in xs: x = given)"""
    assigns = [i for i in s.body if isinstance(i, gast.Assign) and isinstance(i.value, gast.Name) and i.value.id == target]
    return len(assigns) == 1 and not any(target in reads(i) for i in s.body if i is not assigns[0])
