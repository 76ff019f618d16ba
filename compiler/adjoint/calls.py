"""Calls of user functions: a forward that returns what its reverse needs, and the reverse.

b = damped(a, k)   →   b, saved_damped = damped_forward(a, k)
                       a_add, k_add = damped_reverse(saved_damped, b_bar)
"""

import math
from dataclasses import dataclass
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Bar, Contributions
from pullback.compiler.adjoint.context import Part
from pullback.compiler.adjoint.steps import CallParts, Step
from pullback.compiler.analysis.binding import default_objects, default_texts
from pullback.compiler.analysis.program import CallFact, Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.template import assign, call, clone, constant, expression, name
from pullback.compiler.ir.walk import every_node, reads

LITERAL = (gast.Constant, gast.UnaryOp, gast.UAdd, gast.USub, gast.Tuple, gast.Load)


@dataclass(frozen=True)
class Pair:
    """The calling convention of a forward and reverse pair."""

    forward: str
    reverse: str
    parameters: tuple[str, ...]  # with the captured variables
    shadowed: tuple[str, ...]  # parameters that come with their shadow
    loose: tuple[str, ...]  # those of them that hold numbers whose shadows are arrays
    returned: tuple[str, ...]  # parameters whose adjoint the reverse returns
    results: tuple[Value, ...]
    several: bool  # the function returns a tuple that is taken apart at once
    outputs: tuple[str, ...]  # variables of the caller that it rebinds


def pair_of(program: Program, spec: Spec, shadows: Shadows, label: str) -> Pair:
    """The convention of a specialised function."""
    parameters = (*spec.code.parameters, *spec.code.captured)
    values = {p: spec.parameters.get(p, Value("opaque")) for p in parameters}
    last = spec.body[-1]
    several = (
        isinstance(last, gast.Return)
        and isinstance(last.value, gast.Tuple)
        and spec.result is not None
        and (spec.result.items is not None and len(spec.result.items) == len(last.value.elts))
    )
    result = spec.result or Value("none")
    results = tuple(result.items or ()) if several else (result,)
    shadowed = tuple(p for p in parameters if shadows.has(values[p]))
    return Pair(
        f"{label}_forward",
        f"{label}_reverse",
        parameters,
        shadowed,
        tuple(p for p in shadowed if shadows.has_loose(values[p])),
        tuple(p for p in parameters if shadows.has_value_adjoint(values[p])),
        results,
        several,
        tuple(spec.code.nonlocals),
    )


class Calls(Part):
    """The part of the planner that deals with calls of user functions."""

    def pair(self, spec: Spec) -> Pair:
        return pair_of(self.program, spec, self.shadows, self.planner.labels.get(spec, spec.name))

    def step_of(self, s: gast.stmt, node: gast.Call, fact: CallFact, targets: list[gast.expr]) -> Step:
        """The step of a call: its forward, and what the arguments receive from its reverse."""
        pair = self.pair(fact.callee)
        step = Step(
            s,
            [],
            always=bool(pair.shadowed) or any(self.shadows.has(r) for r in pair.results) or self._writes_outward(fact.callee),
        )
        parts = step.call = CallParts(fact.callee)
        arguments = {p: self.argument(fact, p) for p in pair.parameters}
        passed: list[gast.expr] = []
        for parameter in pair.parameters:
            passed.append(arguments[parameter])
            if parameter in pair.shadowed:
                passed.append(self._argument_shadow(step, parts, arguments[parameter]))
        saved = self.names.fresh(f"saved_{fact.callee.name.strip('_')}") if self.hold is None else "saved"
        names, bars = self._receive(step, parts, s, pair, targets)
        received = [*names, *(b for b in bars if b is not None), *pair.outputs, saved]
        step.forward = [
            *parts.before,
            _assigned(received, call(pair.forward, *passed)),
            *step.forward,
        ]
        step.defines |= set(received)
        step.reads_new.add(saved)
        self._reverse_call(step, parts, s, pair, saved, arguments)
        return step

    def _writes_outward(self, callee: Spec) -> bool:
        """Does a function change memory that was there before the call? Its reverse may have to take that back."""
        given = self.program.sites_from(*callee.parameters.values())
        there = {self.program.root(s) for s in (*given, *(s for s in callee.written if s.startswith("global ")))}
        return any(self.program.root(s) in there for s in callee.written)

    def argument(self, fact: CallFact, parameter: str) -> gast.expr:
        if parameter in fact.packed:
            return self._packed(fact, parameter)
        if parameter in fact.callee.code.captured:
            return self._captured(fact, parameter)
        node = fact.arguments.get(parameter)
        if node is not None:
            return node
        return self._default(fact, parameter)

    def _captured(self, fact: CallFact, parameter: str) -> gast.expr:
        if fact.direct:
            node = name(parameter)
            env = self._env(fact)
            self.facts.types[node] = env.get(parameter, Value("opaque"))
            return node
        function = next(n.func for n, f in self.facts.calls.items() if f is fact)  # type: ignore[attr-defined]
        node = gast.Attribute(clone(function), parameter, gast.Load())
        self.facts.types[node.value] = self.type_of(function)
        self.facts.types[node] = fact.callee.parameters[parameter]
        return node

    def _env(self, fact: CallFact) -> dict[str, Value]:
        return {**self.spec.parameters, **self.facts.before.get(self.planner.statement, {})}

    def _packed(self, fact: CallFact, parameter: str) -> gast.expr:
        parts: list[Any] = fact.packed[parameter]
        if fact.callee.code.tree.args.kwarg is not None and fact.callee.code.tree.args.kwarg.id == parameter:
            node: gast.expr = gast.Dict([constant(k) for k, _ in parts], [v for _, v in parts])
        else:
            node = gast.Tuple(list(parts), gast.Load())
        self.facts.types[node] = fact.callee.parameters[parameter]
        return node

    def _default(self, fact: CallFact, parameter: str) -> gast.expr:
        """The default itself, as its text may mean something else by now; the text, if it is a literal."""
        code = fact.callee.code
        default = default_texts(code)[parameter]
        made_with = default_objects(code)
        if isinstance(default, gast.Name) and default.id in code.captured:
            return self._captured(fact, default.id)
        if parameter not in made_with or all(isinstance(n, LITERAL) for n in every_node(default)):
            return clone(default)
        thing = made_with[parameter]
        if type(thing) in (bool, int, str) or type(thing) is float and math.isfinite(thing):
            return constant(thing)
        node = name(self.spec.code.give(thing, f"{code.name}_{parameter}"))
        self.facts.types[node] = fact.callee.parameters[parameter]
        return node

    def _argument_shadow(self, step: Step, parts: CallParts, argument: gast.expr) -> gast.expr:
        value = self.type_of(argument)
        if self.shadows.has(value):
            shadow = self.planner.containers.element_shadow(argument)
            if not (isinstance(shadow, gast.Constant) and shadow.value is None):
                if self.planner.containers.is_display(argument):
                    return self._display_argument(step, parts, argument, shadow)
                return shadow
        return self.planner.containers.zeros_of(argument, value)

    def _typed(self, variable: str, value: Value) -> gast.expr:
        node = name(variable)
        self.facts.types[node] = value
        return node

    def _display_argument(self, step: Step, parts: CallParts, argument: gast.expr, shadow: gast.expr) -> gast.expr:
        """A tuple passed as it is written: its shadow is kept for what the elements receive."""
        held = self.names.fresh("arguments_bar") if self.hold is None else "held_bar"
        parts.before.append(assign(held, shadow))
        step.defines.add(held)
        step.reads_new.add(held)
        parts.displays.append((argument, held))
        return name(held)

    # -- results ------------------------------------------------------------------------------

    def _receive(
        self, step: Step, parts: CallParts, s: gast.stmt, pair: Pair, targets: list[gast.expr]
    ) -> tuple[list[str], list[str | None]]:
        """Variables for the results, and for the shadows of those that have one."""
        names: list[str] = []
        direct = [t.id for t in targets if isinstance(t, gast.Name)]
        if len(direct) == len(pair.results) and (pair.several or len(targets) == 1):
            names = direct
        else:
            names = [self._fresh(f"{parts.callee.name}_result") for _ in pair.results]
            self._hand_over(step, parts, s, pair, names, direct)
        if len(direct) == 1 and pair.several and len(pair.results) == 1:
            names = [self._fresh(f"{parts.callee.name}_result")]
            self._hand_over(step, parts, s, pair, names, direct)
        bars = [self.expressions.bar_of(n, v) if self.shadows.has(v) else None for n, v in zip(names, pair.results)]
        step.reads_new |= {b for n, b in zip(names, bars) if b is not None and n not in direct}
        parts.results = list(zip(names, pair.results))
        step.targets = (*step.targets, *(n for n in names if n in direct), *pair.outputs)
        return names, bars

    def _fresh(self, wish: str) -> str:
        return self.names.fresh(wish) if self.hold is None else wish

    def _hand_over(
        self, step: Step, parts: CallParts, s: gast.stmt, pair: Pair, names: list[str], direct: list[str]
    ) -> None:
        """t = f(x) with several results, or a, b = f(x) with one tuple."""
        if len(direct) == 1:
            display = gast.Tuple([self._typed(n, v) for n, v in zip(names, pair.results)], gast.Load())
            step.forward.append(assign(direct[0], display))
            step.defines.add(direct[0])
            value = self.after(s, direct[0])
            if self.shadows.has(value):
                bar = self.shadow_of(s, direct[0])
                step.forward.append(assign(bar, self.planner.containers.display_shadow(display)))
                step.defines.add(bar)
                step.reads_new.add(bar)
                parts.gathered = (direct[0], bar)
            return
        if not direct:
            return
        source = names[0]
        step.forward.append(
            gast.Assign([gast.Tuple([name(t, store=True) for t in direct], gast.Store())], name(source), None)
        )
        step.defines |= set(direct)
        step.targets = tuple(direct)
        parts.taken_apart = (source, direct)
        for i, target in enumerate(direct):
            if self.shadows.has(self.after(s, target)):
                bar = self.shadow_of(s, target)
                step.forward.append(assign(bar, expression(f"{self.names.bar(source)}[{i}]")))
                step.defines.add(bar)

    # -- reverse ------------------------------------------------------------------------------

    def _reverse_call(
        self,
        step: Step,
        parts: CallParts,
        s: gast.stmt,
        pair: Pair,
        saved: str,
        arguments: dict[str, gast.expr],
    ) -> None:
        """The call of the reverse, and what the arguments receive from it."""
        bars: list[gast.expr] = []
        gathered = parts.gathered
        if gathered and any(gathered[0] in reads(a) for a in arguments.values()):
            gathered = (gathered[0], self._set_aside(step, gathered[1]))
        for i, (result, value) in enumerate(parts.results):
            if self.shadows.has_value_adjoint(value):
                bars.append(expression(f"{gathered[1]}[{i}]") if gathered else name(self.names.bar(result)))
        for output in pair.outputs:
            if self.shadows.has_value_adjoint(parts.callee.outputs.get(output, Value("opaque"))):
                bars.append(name(self.names.bar(output)))
        added = [self._fresh(f"{p}_add") for p in pair.returned]
        out = Contributions()
        called = call(pair.reverse, name(saved), *bars)
        self._take_result_apart(step, parts, s)
        out.prelude.append(_assigned(added, called) if added else gast.Expr(called))
        for parameter, held in zip(pair.returned, added):
            argument = arguments[parameter]
            if self.varied(argument):
                inner = self.expressions.adjoint(argument, Bar(name(held), fresh=True))
                merge(out, inner)
        for argument, held in parts.displays:
            merge(out, self.planner.containers.adjoint(argument, name(held)))
        step.contributions = out
        outputs = [(o, parts.callee.outputs.get(o, Value("opaque"))) for o in pair.outputs]
        taken = outputs if gathered else [*parts.results, *outputs]
        parts.wanted = [n for n, v in taken if self.shadows.has_value_adjoint(v)]
        step.always = step.always or bool(gathered)

    def _set_aside(self, step: Step, bar: str) -> str:
        """t = f(t[0]): the adjoint of the new t gets another name, as the old one's comes back before the arguments'."""
        held = self.names.fresh(f"new_{bar}") if self.hold is None else "new_bar"
        step.take.append(assign(held, name(bar)))
        step.reads_both.add(bar)
        return held

    def _take_result_apart(self, step: Step, parts: CallParts, s: gast.stmt) -> None:
        if parts.taken_apart is None:
            return
        step.always = True
        variables = enumerate(parts.taken_apart[1])
        parts.parts = [(t, i) for i, t in variables if self.shadows.has_value_adjoint(self.after(s, t))]


def merge(into: Contributions, other: Contributions) -> None:
    """Collect the contributions of several expressions."""
    into.prelude += other.prelude
    into.found += other.found
    into.loops += other.loops
    into.helpers |= other.helpers


def _assigned(names: list[str], value: gast.expr) -> gast.stmt:
    if len(names) == 1:
        return assign(names[0], value)
    return gast.Assign([gast.Tuple([name(n, store=True) for n in names], gast.Store())], value, None)
