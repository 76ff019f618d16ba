"""The two sweeps: the forward one is the primal with what is recorded, the reverse one goes backwards through it.

Adjoint variables are stored at the first contribution and added to later; where paths meet, each
path provides what any of them does.
"""

from typing import Any

import gast

from pullback.compiler.adjoint.activity import Activity
from pullback.compiler.adjoint.algebra import added, without_sign
from pullback.compiler.adjoint.bars import Contribution
from pullback.compiler.adjoint.expressions import index_value
from pullback.compiler.adjoint.planner import Later, Planner
from pullback.compiler.adjoint.recording import Recording
from pullback.compiler.adjoint.steps import Step
from pullback.compiler.analysis.reaching import Reaching
from pullback.compiler.analysis.values import SCALARS, Value
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.nodes import Comment
from pullback.compiler.ir.template import (
    add,
    assign,
    call,
    clone,
    constant,
    expression,
    name,
    stored,
    substituted,
)
from pullback.compiler.ir.walk import root_of

State = dict[str, bool]  # value adjoints that are set → is the object ours alone?
WIDTH = 86


class Sweeps:
    """Lays out one function's statements for both sweeps."""

    def __init__(
        self,
        planner: Planner,
        steps: dict[gast.stmt, Step],
        recording: Recording,
        activity: Activity,
        reaching: Reaching,
    ) -> None:
        self.planner = planner
        self.program = planner.program
        self.spec = planner.spec
        self.names = planner.names
        self.steps = steps
        self.recording = recording
        self.activity = activity
        self.reaching = reaching
        self.depth = 0
        self.slots: dict[Any, tuple[str, bool]] = {}
        self.counters: dict[gast.stmt, str] = {}
        self.lines = self.spec.code.lines
        self.declared: list[gast.stmt] = []
        self.last_comment = ""
        self.open_blocks: list[Any] = []
        self.loop_bodies: list[list[gast.stmt]] = []

    # -- forward ------------------------------------------------------------------------------

    def forward(self, body: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        self.open_blocks.append([body, set()])
        for s in body:
            if isinstance(s, gast.Break):
                done += self._ended_by_break()
            done += self._forward(s)
            self.open_blocks[-1][1] |= _certainly(s, self.steps)
        self.open_blocks.pop()
        if not (body and isinstance(body[-1], gast.Break)):
            done += [self._append(self._end_slot(body, v), name(v)) for v in self.recording.at_end.get(id(body), {})]
        return done

    def _end_slot(self, body: list[gast.stmt], variable: str) -> tuple[str, bool]:
        return self._slot((id(body), variable), self.names.saved(variable), looped=True)

    def _ended_by_break(self) -> list[gast.stmt]:
        """An iteration that is left keeps what it would have kept at its end; None stands for what it never set."""
        done: list[gast.stmt] = []
        bound = {v for _, seen in self.open_blocks for v in seen}
        for body, _ in reversed(self.open_blocks):
            for variable in self.recording.at_end.get(id(body), {}):
                done.append(
                    self._append(
                        self._end_slot(body, variable),
                        name(variable) if variable in bound else constant(None),
                    )
                )
            if body is self.loop_bodies[-1]:
                break
        return done

    def _forward(self, s: gast.stmt) -> list[gast.stmt]:
        if s in self.steps:
            return self._forward_step(self.steps[s])
        if isinstance(s, gast.If):
            new = gast.If(clone(s.test), self.forward(s.body) or [gast.Pass()], self.forward(s.orelse))
            return [self._copied(new, s)]
        if isinstance(s, (gast.For, gast.While)):
            return self._forward_loop(s)
        if isinstance(s, gast.With):
            return [self._copied(gast.With(s.items, self.forward(s.body), None), s)]
        return [s]

    def _copied(self, new: gast.stmt, old: gast.stmt) -> gast.stmt:
        new.origin = old
        return gast.copy_location(new, old)

    def _forward_step(self, step: Step) -> list[gast.stmt]:
        if isinstance(step.statement, (gast.Nonlocal, gast.Global)):
            return []  # the variables are parameters here
        before: list[gast.stmt] = []
        for save in self.recording.content.get(step, []):
            before.append(self._keep((step, id(save)), self.names.saved(save.base), save.value))
        for variable in sorted(self.recording.names.get(step, ())):
            before.append(self._keep((step, variable), self.names.saved(variable), name(variable)))
        used = self._used(step) or not hasattr(step, "results")
        body = step.forward if used else [step.statement]
        return [*(clone(p) for p in step.prefix), *before, *(self._sugared(f, step) for f in body)]

    def _used(self, step: Step) -> bool:
        after = self.activity.after.get(step.statement, frozenset())
        return step.always or bool(after & set(step.targets))

    def _sugared(self, s: gast.stmt, step: Step) -> gast.stmt:
        """`x = x + e` that was written `x += e` is printed so where it is a number."""
        if not getattr(s, "augmented", False) or not isinstance(s.value, gast.BinOp):  # type: ignore[attr-defined]
            return s
        target = s.targets[0].id  # type: ignore[attr-defined]
        value = self.spec.facts.after.get(step.statement, {}).get(target, Value("opaque"))
        if value.kind not in SCALARS:
            return s  # the old array may be kept by reference
        new = gast.AugAssign(name(target, store=True), s.value.op, s.value.right)  # type: ignore[attr-defined]
        new.origin = step.statement
        return gast.copy_location(new, s)

    def _keep(self, key: Any, wish: str, value: gast.expr) -> gast.stmt:
        slot = self._slot(key, wish, looped=self.depth > 0)
        if slot[1]:
            return self._append(slot, value)
        return assign(slot[0], clone(value))

    def _slot(self, key: Any, wish: str, looped: bool) -> tuple[str, bool]:
        """(variable, is it a list): lists in loops, plain variables elsewhere."""
        if key not in self.slots:
            held = wish
            if any(held == other for other, _ in self.slots.values()):
                held = self.names.fresh(wish)
            self.slots[key] = (held, looped)
            if looped:
                self.declared.append(assign(held, gast.List([], gast.Load())))
        return self.slots[key]

    def _append(self, slot: tuple[str, bool], value: gast.expr) -> gast.stmt:
        return gast.Expr(expression("s.append(v)", s=slot[0], v=clone(value)))

    def _forward_loop(self, s: Any) -> list[gast.stmt]:
        before: list[gast.stmt] = []
        for variable in sorted(self.recording.loops.get(s, ())):
            before.append(self._keep((s, variable), self.names.saved(variable), name(variable)))
        self.depth += 1
        self.loop_bodies.append(s.body)
        body = self.forward(s.body)
        self.loop_bodies.pop()
        self.depth -= 1
        if isinstance(s, gast.While) or _breaks(s.body):
            if self.needs_reverse(s):
                counter = self.counters.setdefault(s, self.names.fresh("trips"))
                before.append(assign(counter, constant(0)))
                body.insert(0, add(counter, constant(1)))
                if self.depth > 0:
                    slot = self._slot((s, "trips"), self.names.saved(counter), looped=True)
                    after = [self._append(slot, name(counter))]
                    return [*before, self._loop_of(s, body), *after]
        return [*before, self._loop_of(s, body)]

    def _loop_of(self, s: Any, body: list[gast.stmt]) -> gast.stmt:
        if isinstance(s, gast.For):
            return self._copied(gast.For(clone(s.target), clone(s.iter), body or [gast.Pass()], [], None), s)
        return self._copied(gast.While(clone(s.test), body or [gast.Pass()], []), s)

    def needs_reverse(self, s: gast.stmt) -> bool:
        """Does the reverse sweep do anything for a compound statement?"""
        if s in self.steps:
            step = self.steps[s]
            return (
                self._used(step)
                or step in self.recording.names
                or step in self.recording.content
                or (step in self.recording.undone)
            )
        return any(self.needs_reverse(i) for f in ("body", "orelse") for i in getattr(s, f, []))

    # -- reverse ------------------------------------------------------------------------------

    def reverse(self, body: list[gast.stmt], state: State) -> list[gast.stmt]:
        """The statements that take the block back; `state` is changed to what holds before the block."""
        done: list[gast.stmt] = []
        for variable in reversed(self.recording.at_end.get(id(body), {})):
            slot = self.slots[(id(body), variable)]
            done.append(assign(variable, expression("s.pop()", s=slot[0])))
        for s in reversed(body):
            mark = self.last_comment
            comment = self._comment(s)
            if comment is not None:
                self.last_comment = comment.text
            new = self._reverse(s, state)
            if not new:
                self.last_comment = mark
            elif comment is not None and comment.text != mark:
                done.append(comment)
            done += new
        return done

    def _comment_list(self, s: gast.stmt) -> list[gast.stmt]:
        comment = self._comment(s)
        self.last_comment = comment.text if comment is not None else ""
        return [comment] if comment is not None else []

    def _comment(self, s: gast.stmt) -> Comment | None:
        line = getattr(s, "lineno", None)
        if line is None or not 0 < line <= len(self.lines):
            return None
        if isinstance(s, (gast.If, gast.For, gast.While, gast.With)):
            return None
        end = getattr(s, "end_lineno", line) or line
        if self.lines[line - 1].rstrip().endswith(":"):
            end = line  # the head of a loop, whose first statement fetches the element
        text = " ".join(part.strip().rstrip("\\").strip() for part in self.lines[line - 1 : end])
        return Comment(f"{line}: {text}" if len(text) < 90 else f"{line}: {text[:84]} ...")

    def _reverse(self, s: gast.stmt, state: State) -> list[gast.stmt]:
        if s in self.steps:
            return self._reverse_step(self.steps[s], state)
        if isinstance(s, gast.If):
            return self._reverse_if(s, state)
        if isinstance(s, (gast.For, gast.While)):
            return self._reverse_loop(s, state)
        if isinstance(s, gast.With):
            inner = self.reverse(s.body, state)
            return [gast.With(clone(s.items), inner, None)] if inner else []
        return []

    def _reverse_step(self, step: Step, state: State) -> list[gast.stmt]:
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
                bar = (
                    name(self.names.bar(taken.variable)) if taken.scalar and taken.variable in state else constant(0.0)
                )
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
        wanted = list(getattr(step, "calls", []))
        for target, i in step.split_targets:
            if target in state:
                part = expression(f"b[{i}]", b=step.split_bar)  # type: ignore[attr-defined]
                done.append(add(part, name(self.names.bar(target))))
        if step.split_targets:
            wanted = []
        if len(step.targets) > 1 and not hasattr(step, "calls"):
            wanted = list(step.targets)
        for target in wanted:
            if target not in state:
                zero = self._zero(target, step.statement, dict(getattr(step, "results", [])).get(target))
                done.append(assign(self.names.bar(target), zero))
        return done

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

    # -- contributions --------------------------------------------------------------------------

    def _contribute(self, step: Step, state: State) -> list[gast.stmt]:
        targets = set(step.targets)
        owned = {t: state.get(t, False) for t in targets}
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
            state.pop(root.id)
        return done

    def _is_shadow(self, step: Step, place: gast.Name) -> bool:
        return self.planner.shadows.has(self._type(step, place))

    def _type(self, step: Step, place: gast.expr) -> Value:
        return self.planner.type_of(getattr(place, "fact_of", place))

    def _shadow_add(self, c: Contribution) -> gast.stmt:
        target = self.planner.expressions.bar_place(c.place)
        kind = self.planner.type_of_place(c.place).kind
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
        scalar = self._type(step, parts[0].place).kind in SCALARS
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
            if scalar or state[variable]:
                done.append(self._plus(name(bar), part.text))
            else:
                done.append(assign(bar, added([name(bar), clone(part.text)])))
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
        if not self.planner.shadows.has(self.planner.type_of(base)):
            done += self._owned(root.id, state, step.statement)
        place = self.planner.expressions.bar_place(original)
        if isinstance(original, gast.Subscript) and not self.planner.expressions.named_once(original):
            assert isinstance(place, gast.Subscript)
            done.append(gast.Expr(call("np.add.at", place.value, index_value(place.slice), clone(c.text))))
        elif self.planner.type_of(original).kind in ("list", "tuple"):
            done.append(gast.Expr(call("accumulate", place, clone(c.text))))
        else:
            done.append(self._plus(place, c.text))
        return done

    def _owned(self, variable: str, state: State, s: gast.stmt) -> list[gast.stmt]:
        bar = self.names.bar(variable)
        if variable not in state:
            state[variable] = True
            return [assign(bar, self._zero(variable, s))]
        if not state[variable]:
            state[variable] = True
            return [assign(bar, expression("b.copy()", b=bar))]
        return []

    def _zero(self, variable: str, s: gast.stmt | None, known: Value | None = None) -> gast.expr:
        value = known or self._type_at(variable, s)
        if value.kind in SCALARS:
            return constant(0.0)
        if value.kind == "array":
            return expression("np.zeros_like(x)", x=name(variable))
        return call("zeros", name(variable))

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
            bars = step.bars  # type: ignore[attr-defined]
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
                if variable not in start and value.kind in SCALARS:
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
        return {n.id for n in gast.walk(s.target) if isinstance(n, gast.Name)} if isinstance(s, gast.For) else set()

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
        over = clone(s.iter)
        if count is not None:
            over = expression("over[:n]", over=over if _sequence(over) else call("list", over), n=count)
        elif not _sequence(over):
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


def _certainly(s: gast.stmt, steps: dict[gast.stmt, Step]) -> set[str]:
    """Names a statement binds whichever way it goes."""
    if s in steps:
        return set(steps[s].defines)
    if isinstance(s, gast.If):
        arms = [set().union(*(_certainly(i, steps) for i in arm)) if arm else set() for arm in (s.body, s.orelse)]
        return arms[0] & arms[1]
    return set()


def _breaks(body: list[gast.stmt]) -> bool:
    return any(
        isinstance(s, gast.Break)
        or (isinstance(s, (gast.If, gast.With)) and (_breaks(s.body) or _breaks(getattr(s, "orelse", []))))
        for s in body
    )


def _sequence(node: gast.expr) -> bool:
    return isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "range"


def _negated(test: gast.expr) -> gast.expr:
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        return test.operand
    return gast.UnaryOp(gast.Not(), test)
