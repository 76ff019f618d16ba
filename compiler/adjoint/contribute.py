"""Contributions become statements: adjoints are stored at the first one, and added to later."""

import gast

from pullback.compiler.adjoint.algebra import added, negated, without_sign
from pullback.compiler.adjoint.bars import Contribution
from pullback.compiler.adjoint.forward import ForwardSweep
from pullback.compiler.adjoint.operands import adder, index_value
from pullback.compiler.adjoint.steps import Step
from pullback.compiler.analysis.values import SCALARS, Value
from pullback.compiler.analysis.zeros import zeros_like
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.template import (
    assign,
    call,
    clone,
    constant,
    expression,
    loaded,
    name,
    stored,
    substituted,
)
from pullback.compiler.ir.walk import reads, root_of

State = dict[str, bool]  # value adjoints that are set → is the object ours alone?
WIDTH = 86


class Contributing(ForwardSweep):
    """The statements that take a step's contributions into the adjoints of its variables."""

    def _contribute(self, step: Step, state: State) -> list[gast.stmt]:
        targets = set(step.targets)
        owned = {t: state.get(t, False) for t in targets}
        _share(step.contributions.found)
        done: list[gast.stmt] = self._part_of_itself(step, targets, state)
        own: dict[str, list[Contribution]] = {}
        grouped: dict[str, list[Contribution]] = {}
        for c in step.contributions.found:
            if not isinstance(c.place, gast.Name):
                done += self._into_part(step, c, state)
            elif self._is_shadow(step, c.place):
                done.append(self._shadow_add(c))
            elif c.place.id in targets:
                own.setdefault(c.place.id, []).append(c)
            else:
                grouped.setdefault(c.place.id, []).append(c)
        for variable, parts in grouped.items():
            done += self._into_variable(variable, parts, state, owned, step)
        kept = {root_of(c.place).id for c in step.contributions.found if not isinstance(c.place, gast.Name)}
        for target in targets - kept:
            state.pop(target, None)
        for variable, parts in own.items():
            text = added([clone(p.text) for p in parts])
            fresh = len(parts) > 1 or parts[0].fresh
            if variable in kept:  # the old value's adjoint was begun by a contribution to a part of it
                done += [self._plus(name(self.names.bar(variable)), p.text) for p in parts]
                fresh = True
            elif not (isinstance(text, gast.Name) and text.id == self.names.bar(variable)):
                done.append(assign(self.names.bar(variable), text))
            else:
                shared = sum(isinstance(c.text, gast.Name) and c.text.id == text.id for c in step.contributions.found)
                fresh = owned.get(variable, False) and shared == 1
            state[variable] = fresh
        return done

    def _part_of_itself(self, step: Step, targets: set[str], state: State) -> list[gast.stmt]:
        """a = a[1:]: the adjoint of the new a is set aside, that of the old one starts at zero."""
        done: list[gast.stmt] = []
        for c in step.contributions.found:
            root = root_of(c.place)
            if isinstance(c.place, gast.Name) or root.id not in targets or root.id not in state:
                continue
            bar = self.names.bar(root.id)
            held = self.names.partner(root.id, "new_bar")
            done.append(assign(held, name(bar)))
            for other in step.contributions.found:
                other.text = substituted([other.text], {bar: held})[0]
                other.brief = None
            state.pop(root.id)
        return done

    def _is_shadow(self, step: Step, place: gast.Name) -> bool:
        return self.planner.shadows.has(self._type(step, place))

    def _type(self, step: Step, place: gast.expr) -> Value:
        return self.planner.type_of(getattr(place, "fact_of", place))

    def _shadow_add(self, c: Contribution) -> gast.stmt:
        target = self.planner.expressions.bar_place(c.place)
        known = self.planner.type_of_place(c.place)
        kind = known.kind
        if known.perhaps_complex:
            return self._plus(target, call("as_real_as", clone(c.text), loaded(target)))
        if kind in ("list", "tuple"):  # an array made of a list: each element gets its entry
            return gast.Expr(call("accumulate", target, clone(c.text)))
        return self._plus(target, c.text)

    def _plus(self, target: gast.expr, text: gast.expr) -> gast.stmt:
        """`target += text`, or `-=` where the text carries a sign."""
        positive = without_sign(clone(text))
        op = gast.Add() if positive is None else gast.Sub()
        return gast.AugAssign(stored(target), op, clone(text) if positive is None else positive)

    def _into_variable(
        self, variable: str, parts: list[Contribution], state: State, owned: State, step: Step
    ) -> list[gast.stmt]:
        bar = self.names.bar(variable)
        known = self._type(step, parts[0].place)
        scalar = known.kind in SCALARS
        done: list[gast.stmt] = []
        if variable not in state:
            total = added([clone(p.text) for p in parts])
            fits = len(parts) > 1 and len(printed(total)) + len(bar) < WIDTH - 16
            if len(parts) == 1 or fits:
                state[variable] = len(parts) > 1 or parts[0].fresh or self._handed_over(parts[0], owned, step)
                return [assign(bar, total)]
            state[variable] = parts[0].fresh
            done.append(assign(bar, clone(parts[0].text)))
            parts = parts[1:]
        for part in parts:
            text = part.brief or part.text
            if scalar or state[variable] and not known.is_complex:  # what was stored first may be real
                done.append(self._plus(name(bar), text))
            else:
                done.append(assign(bar, added([name(bar), clone(text)])))
                state[variable] = True
        return done

    def _handed_over(self, part: Contribution, owned: State, step: Step) -> bool:
        """The target's own adjoint goes to the one variable that receives it, with the right to write to it."""
        if not isinstance(part.text, gast.Name) or len(step.contributions.found) != 1:
            return False
        return any(part.text.id == self.names.bar(t) and mine for t, mine in owned.items())

    def _into_part(self, step: Step, c: Contribution, state: State) -> list[gast.stmt]:
        """`u_bar[i] += c`: the whole has to exist, and be ours."""
        root = root_of(c.place)
        done: list[gast.stmt] = []
        original = getattr(c.place, "fact_of", c.place)
        base = root_of(original)
        known = self.planner.type_of(base)
        first = root.id not in state and known.kind == "array"
        if not self.planner.shadows.has(self.planner.type_of(base)):
            done += self._owned(root.id, state, step.statement, known)
        place = self.planner.expressions.bar_place(original)
        around = self.planner.type_of(getattr(original, "value", original))
        part = around if around.numeric else self.planner.type_of(original)  # an entry is as real as its array
        if part.perhaps_complex:
            c.text = call("as_real_as", c.text, loaded(place))
        if isinstance(original, gast.Subscript) and not self.planner.expressions.named_once(original):
            assert isinstance(place, gast.Subscript)
            rows = known.rank == 2 and base is original.value and self._numbers(original.slice)  # type: ignore[attr-defined]
            function = "add_rows" if rows else adder(around)
            done.append(gast.Expr(call(function, place.value, index_value(place.slice), clone(c.text))))
        elif self.planner.type_of(original).kind in ("list", "tuple"):
            done.append(gast.Expr(call("accumulate", place, clone(c.text))))
        elif first and done:  # the whole is all zeros yet
            positive = without_sign(clone(c.text))
            text = clone(c.text) if positive is None else negated(positive)
            done.append(gast.Assign([stored(place)], text, None))
        else:
            done.append(self._plus(place, c.text))
        return done

    def _numbers(self, index: gast.expr) -> bool:
        """Is an index a vector of row numbers?"""
        value = self.planner.type_of(index)
        return value.rank == 1 and value.dtype.startswith("int")

    def _owned(self, variable: str, state: State, s: gast.stmt, known: Value | None = None) -> list[gast.stmt]:
        bar = self.names.bar(variable)
        if variable not in state:
            state[variable] = True
            return [assign(bar, self._zero(variable, s, known))]
        mine, state[variable] = state[variable], True
        if known is not None and known.is_complex and known.kind not in SCALARS:
            return [assign(bar, call("as_complex", name(bar) if mine else expression("b.copy()", b=bar)))]
        return [] if mine else [assign(bar, expression("b.copy()", b=bar))]

    def _zero(self, variable: str, s: gast.stmt | None, known: Value | None = None) -> gast.expr:
        value = known or self._type_at(variable, s)
        if value.kind in SCALARS:
            return constant(0.0)
        zeros = zeros_like(value, name(variable)) if value.kind == "array" else call("zeros", name(variable))
        if variable in reads(zeros) and not self._bound_at(variable, s):
            self.recording.unbound.add(variable)
        return zeros

    def _bound_at(self, variable: str, s: gast.stmt | None) -> bool:
        """Is a variable certainly bound where its adjoint begins as zeros: by the statement, or before it?"""
        bound = s is None or variable not in self.reaching.names() or self.reaching.certain(variable, s)
        return bound or s in self.steps and variable in self.steps[s].defines

    def _type_at(self, variable: str, s: gast.stmt | None) -> Value:
        if s is not None:
            env = {
                **self.spec.parameters,
                **self.spec.facts.before.get(s, {}),
                **self.spec.facts.after.get(s, {}),
            }
            if variable in env:
                return env[variable]
        for env in self.spec.facts.after.values():
            if variable in env:
                return env[variable]
        return self.spec.parameters.get(variable, Value("number"))


def _share(found: list[Contribution]) -> None:
    """What several contributions hand on as it is belongs to none of them alone."""
    handed = [reads(c.text) if not isinstance(c.text, (gast.BinOp, gast.UnaryOp)) else set() for c in found]
    for i, contribution in enumerate(found):
        if any(handed[i] & other for j, other in enumerate(handed) if j != i):
            contribution.fresh = False
