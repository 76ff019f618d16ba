"""The reverse sweep: backwards through the statements; where paths meet, each path provides what any of them does."""

from typing import Any

import gast
import numpy as np

from pullback.compiler.adjoint.contribute import Contributing, State
from pullback.compiler.adjoint.steps import CallParts, Later, Step
from pullback.compiler.analysis.values import SCALARS
from pullback.compiler.ir.comments import line_comment
from pullback.compiler.ir.nodes import Finally
from pullback.compiler.ir.template import (
    add,
    assign,
    call,
    clone,
    constant,
    expression,
    name,
    substituted,
)
from pullback.compiler.ir.walk import again, assigned, names_in, root_of


class Sweeps(Contributing):
    """Lays out one function's statements for both sweeps."""

    def reverse(self, body: list[gast.stmt], state: State) -> list[gast.stmt]:
        """The statements that take the block back; `state` is changed to what holds before the block."""
        done = self._fetched(body)
        for s in reversed(body):
            mark = self.last_comment
            comment = line_comment(s, self.lines)
            if comment is not None:
                self.last_comment = comment.text
            new = self._reverse(s, state)
            if not new:
                self.last_comment = mark
            elif comment is not None and comment.text != mark:
                done.append(comment)
            done += new
        return done

    def _fetched(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """What the block kept at its end."""
        kept = [name(v, store=True) for v in self.recording.at_end.get(id(body), {})]
        if not kept:
            return []
        target = kept[0] if len(kept) == 1 else gast.Tuple(kept, gast.Store())
        return [gast.Assign([target], expression("s.pop()", s=self.slots[(id(body), "end")][0]), None)]

    def comment_list(self, s: gast.stmt) -> list[gast.stmt]:
        comment = line_comment(s, self.lines)
        self.last_comment = comment.text if comment is not None else ""
        return [comment] if comment is not None else []

    def _reverse(self, s: gast.stmt, state: State) -> list[gast.stmt]:
        if s in self.steps:
            return self.reverse_step(self.steps[s], state)
        if isinstance(s, gast.If):
            return self._reverse_if(s, state)
        if isinstance(s, (gast.For, gast.While)):
            return self._reverse_loop(s, state)
        if isinstance(s, Finally):
            last = self.reverse(s.orelse, state)
            return [*last, *self.reverse(s.body, state)]
        if isinstance(s, gast.With):
            inner = self.reverse(s.body, state)
            again = [clone(i) for i in s.items if self.spec.facts.resolved.get(i.context_expr) is np.errstate]
            return [gast.With(again, inner, None)] if inner and again else inner
        return []

    def reverse_step(self, step: Step, state: State) -> list[gast.stmt]:
        if step.swap:
            return self._reverse_swap(step, state)
        live = any(t in state for t in step.targets)
        late = (step.reads_new - step.reads_both) & self.recording.names.get(step, set())
        restores, last = self._restored(step, late)
        if not step.always and not live:
            for target in step.targets:
                state.pop(target, None)
            return [*restores, *last]
        done: list[gast.stmt] = self._zero_results(step, state)
        later: list[gast.stmt] = []
        for taken in step.take:
            if isinstance(taken, Later):
                later += taken.body
            elif hasattr(taken, "statement"):
                bar = name(self.names.bar(taken.variable)) if taken.variable in state else clone(taken.zero)
                done.append(taken.statement(bar))
            else:
                done.append(clone(taken))
        contributed = [*(clone(p) for p in step.contributions.prelude), *(clone(x) for x in later)]
        contributed += self._contribute(step, state)
        contributed += [clone(x) for x in step.contributions.loops]
        finish = [clone(f) for f in step.finish]
        return [*done, *restores, *contributed, *finish, *last]

    def _zero_results(self, step: Step, state: State) -> list[gast.stmt]:
        """A call's reverse takes an adjoint of every result; one that nobody used is zero."""
        done: list[gast.stmt] = []
        if step.call is None:
            wanted, types = list(step.targets) if len(step.targets) > 1 else [], {}
        else:
            wanted, types = step.call.wanted, dict(step.call.results)
            if step.call.parts:
                wanted = [w for w in wanted if w not in types]
                done += self._into_result(step.call, state)
        for target in wanted:
            shadowed = self.planner.ever_shadowed.get(target) == self.names.bar(target)
            if target not in state and not shadowed:
                zero = self._zero(target, step.statement, types.get(target))
                done.append(assign(self.names.bar(target), zero))
        return done

    def _into_result(self, call_parts: CallParts, state: State) -> list[gast.stmt]:
        """The adjoints of the variables that a result was taken apart into go to its shadow."""
        assert call_parts.taken_apart is not None
        bar = self.names.bar(call_parts.taken_apart[0])
        return [
            add(expression(f"b[{i}]", b=bar), name(self.names.bar(target)))
            for target, i in call_parts.parts
            if target in state
        ]

    def _restored(self, step: Step, late: set[str]) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """What was overwritten comes back: before the contributions, or after those that read the new value."""
        done: list[gast.stmt] = []
        last: list[gast.stmt] = []
        for variable in sorted(self.recording.names.get(step, ()), reverse=True):
            (last if variable in late else done).append(assign(variable, self._kept((step, variable))))
        for save in reversed(self.recording.content.get(step, [])):
            done += substituted([save.restore], {"kept__": self._kept((step, id(save)))})
        roots = self.recording.undone.get(step)
        if roots:
            done += clone(step.undo[min(roots)])
        return done, last

    def _kept(self, key: Any) -> gast.expr:
        held, is_list = self.slots[key]
        return expression("s.pop()", s=held) if is_list else name(held)

    # -- swaps, branches, loops -----------------------------------------------------------------

    def _reverse_swap(self, step: Step, state: State) -> list[gast.stmt]:
        statement: Any = step.statement
        targets = [e.id for e in statement.targets[0].elts]
        sources = [e.id for e in statement.value.elts]
        done: list[gast.stmt] = []
        back = _swapped(sources, targets)
        done.append(back)
        moved = [(s, t) for s, t in zip(sources, targets) if t in state]
        if any(isinstance(f, gast.Assign) for f in step.forward[1:]):
            bars = step.bars
            done.append(_swapped([v for _, v in bars], [t for t, _ in bars]))
        elif moved:
            missing = [t for t in targets if t not in state]
            done += [assign(self.names.bar(t), self._zero(t, step.statement)) for t in missing]
            old = {t: state.get(t, True) for t in targets}
            for s, t in zip(sources, targets):
                state[s] = old[t]
            done.append(_swapped([self.names.bar(s) for s in sources], [self.names.bar(t) for t in targets]))
        return done

    def _reverse_if(self, s: gast.If, state: State) -> list[gast.stmt]:
        start = dict(state)
        arms = []
        for block in (s.body, s.orelse):
            arm_state = dict(start)
            arms.append((self.reverse(block, arm_state), arm_state))
        before: list[gast.stmt] = []
        union = {**arms[0][1], **arms[1][1]}
        for variable in sorted(union):
            for statements_, arm_state in arms:
                if variable in arm_state:
                    continue
                value = self._type_at(variable, s)
                used = any(self.names.bar(variable) in assigned(inner) for inner in statements_)
                if variable not in start and value.kind in SCALARS and not used:
                    before.append(assign(self.names.bar(variable), constant(0.0)))
                else:
                    statements_.append(assign(self.names.bar(variable), self._zero(variable, s)))
                arm_state[variable] = True
        state.clear()
        for variable in union:
            state[variable] = arms[0][1][variable] and arms[1][1][variable]
        taken, other = arms[0][0], arms[1][0]
        if not taken and not other:
            return before
        test = clone(s.test)
        if not taken:
            return [*before, gast.If(_negated(test), other, [])]
        return [*before, gast.If(test, taken, other)]

    def _reverse_loop(self, s: Any, state: State) -> list[gast.stmt]:
        header = self.activity.before.get(s, frozenset()) - self._targets(s)
        before: list[gast.stmt] = []
        if not self.needs_reverse(s):
            return [assign(v, self._kept((s, v))) for v in sorted(self.recording.loops.get(s, ()))]
        indexed = self._indexed(s.body)
        for variable in sorted(header):
            if variable not in state:
                before.append(assign(self.names.bar(variable), self._zero(variable, s)))
                state[variable] = True
            elif variable in indexed and not state[variable]:
                before += self._owned(variable, state, s)
        while True:
            inner = dict(state)
            body = self.reverse(s.body, inner)
            lost = [
                v for v in state if state[v] and v in inner and not inner[v] and self._type_at(v, s).kind not in SCALARS
            ]
            if not lost:
                break
            for variable in lost:
                state[variable] = False
        for variable in sorted(state):
            if variable not in inner:
                body.append(assign(self.names.bar(variable), self._zero(variable, s)))
        loop = self._backwards(s, body)
        after = [assign(v, self._kept((s, v))) for v in sorted(self.recording.loops.get(s, ()))]
        return [*before, *loop, *after]

    def _targets(self, s: Any) -> set[str]:
        return names_in(s.target) if isinstance(s, gast.For) else set()

    def _indexed(self, body: list[gast.stmt]) -> set[str]:
        """Variables of which single entries receive contributions somewhere in the block."""
        found: set[str] = set()
        for s in body:
            if s in self.steps:
                for c in self.steps[s].contributions.found:
                    if not isinstance(c.place, gast.Name):
                        found.add(root_of(c.place).id)
            for f in ("body", "orelse"):
                found |= self._indexed(getattr(s, f, []))
        return found

    def _backwards(self, s: Any, body: list[gast.stmt]) -> list[gast.stmt]:
        if not body:
            return []
        counter = self.counters.get(s)
        count: gast.expr | None = name(counter) if counter is not None else None
        first: list[gast.stmt] = []
        if counter is not None and (s, "trips") in self.slots:
            first = [assign(counter, expression("s.pop()", s=self.slots[(s, "trips")][0]))]
        if isinstance(s, gast.While):
            return [
                *first,
                gast.For(name("_", store=True), call("range", count or constant(0)), body, [], None),
            ]
        over = clone(again(s))
        if count is not None:
            over = expression("over[:n]", over=over if _sequence(over) else call("list", over), n=count)
        elif again(s) is s.iter and not _sequence(over):
            over = call("list", over) if not self._is_sequence(s.iter) else over
        target = clone(s.target)
        return [*first, gast.For(target, expression("reversed(over)", over=over), body, [], None)]

    def _is_sequence(self, node: gast.expr) -> bool:
        return self.planner.type_of(node).kind in ("array", "list", "tuple")


def _swapped(targets: list[str], sources: list[str]) -> gast.stmt:
    return gast.Assign(
        [gast.Tuple([name(t, store=True) for t in targets], gast.Store())],
        gast.Tuple([name(v) for v in sources], gast.Load()),
        None,
    )


def _sequence(node: gast.expr) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "range"


def _negated(test: gast.expr) -> gast.expr:
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(gast.Not(), test)
