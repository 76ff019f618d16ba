"""The forward sweep: the primal, with what is recorded for the reverse sweep."""

from typing import Any

import gast

from pullback.compiler.adjoint.activity import Activity
from pullback.compiler.adjoint.planner import Planner
from pullback.compiler.adjoint.recording import Recording
from pullback.compiler.adjoint.steps import Step
from pullback.compiler.analysis.reaching import Reaching
from pullback.compiler.analysis.values import SCALARS, Value
from pullback.compiler.ir.nodes import Attempt, Finally, as_try
from pullback.compiler.ir.template import (
    add,
    assign,
    clone,
    constant,
    expression,
    loaded,
    name,
)
from pullback.compiler.ir.walk import again, assigned


class ForwardSweep:
    """Lays out one function's statements for the forward sweep."""

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
        self.waiting: list[gast.stmt] | None = None  # in an attempt: what goes on lists once it went well
        self.overwritten: dict[str, str] = {}  # in it: the variables that it overwrites, and the names of their old values

    def forward(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [new for part in self._parts(body) for new in part]

    def _parts(self, body: list[gast.stmt], tried: int = 0) -> list[list[gast.stmt]]:
        """What becomes of each statement, and what is kept at the end; `tried`: so many first ones may fail."""
        parts: list[list[gast.stmt]] = []
        around, self.waiting = self.waiting, [] if tried else None
        self.open_blocks.append([body, set()])
        for i, s in enumerate(body):
            done = self._ended_by_break() if isinstance(s, gast.Break) else []
            if i == tried - 1:  # all went well: what was to be kept is kept now
                done, self.waiting = [*(self.waiting or [])], None
            parts.append([*done, *self._forward(s)])
            self.open_blocks[-1][1] |= _certainly(s, self.steps)
        self.open_blocks.pop()
        self.waiting = around
        if not (body and isinstance(body[-1], gast.Break)):
            parts.append(self._kept_at_end(body, [name(v) for v in self.recording.at_end.get(id(body), {})]))
        return parts

    def _kept_at_end(self, body: list[gast.stmt], values: list[gast.expr]) -> list[gast.stmt]:
        """What a block keeps at its end goes to one list, several values as a tuple."""
        if not values:
            return []
        return [self._append(self._end_slot(body), values[0] if len(values) == 1 else gast.Tuple(values, gast.Load()))]

    def _end_slot(self, body: list[gast.stmt]) -> tuple[str, bool]:
        key, kept = (id(body), "end"), list(self.recording.at_end[id(body)])
        if key in self.slots:
            return self.slots[key]
        return self._slot(key, self.names.saved(kept[0]) if len(kept) == 1 else self.names.fresh("trip_saved"), True)

    def _ended_by_break(self) -> list[gast.stmt]:
        """An iteration that is left keeps what it would have kept at its end; None stands for what it never set."""
        done: list[gast.stmt] = []
        bound = {v for _, seen in self.open_blocks for v in seen}
        for body, _ in reversed(self.open_blocks):
            kept = self.recording.at_end.get(id(body), {})
            done += self._kept_at_end(body, [name(v) if v in bound else constant(None) for v in kept])
            if body is self.loop_bodies[-1]:
                break
        return done

    def _forward(self, s: gast.stmt) -> list[gast.stmt]:
        if s in self.steps:
            return self._forward_step(self.steps[s])
        if isinstance(s, Attempt):
            return [self._copied(self._forward_attempt(s), s)]
        if isinstance(s, Finally):
            return [self._copied(as_try(s, self.forward(s.body) or [gast.Pass()], self.forward(s.orelse)), s)]
        if isinstance(s, gast.If):
            new = gast.If(clone(s.test), self.forward(s.body) or [gast.Pass()], self.forward(s.orelse))
            return [self._copied(new, s)]
        if isinstance(s, (gast.For, gast.While)):
            return self._forward_loop(s)
        if isinstance(s, gast.With):
            return [self._copied(gast.With(s.items, self.forward(s.body), None), s)]
        return [s]

    def _forward_attempt(self, s: Attempt) -> gast.Try:
        """What is kept of a statement that fails would never be fetched: it is kept once that went well.

        Where it fails, what was overwritten on the way has its old value again.
        """
        around, self.overwritten = self.overwritten, {}
        parts = self._parts(s.body, s.tried)
        old, self.overwritten = self.overwritten, around
        body = [new for part in parts for new in part]
        tried = sum(len(part) for part in parts[: s.tried])
        first = [assign(held, name(v)) for v, held in old.items()]
        again = [assign(v, name(held)) for v, held in old.items()]
        return as_try(s, [*first, *body], [*again, *self.forward(s.orelse)], len(first) + tried)

    def _copied(self, new: gast.stmt, old: gast.stmt) -> gast.stmt:
        new.origin = old
        return gast.copy_location(new, old)

    def _forward_step(self, step: Step) -> list[gast.stmt]:
        if isinstance(step.statement, (gast.Nonlocal, gast.Global)):
            return []  # the variables are parameters here
        own = {v for p in step.prefix for v in assigned(p)}
        kept = {v: self._keep_name(step, v) for v in sorted(self.recording.names.get(step, ()))}
        first = [s for v, found in kept.items() if v in own for s in found]  # what the prefix assigns
        before: list[gast.stmt] = []
        for save in self.recording.content.get(step, []):
            before.append(self._keep((step, id(save)), self.names.saved(save.base), save.value))
        before += [s for v, found in kept.items() if v not in own for s in found]
        used = self._used(step) or step.call is None
        body = step.forward if used or self._elsewhere(step) else [step.statement]
        return [*first, *(clone(p) for p in step.prefix), *before, *(self._sugared(f, step) for f in body)]

    def _elsewhere(self, step: Step) -> bool:
        """Does a step call a function that is defined in another one's text, where it cannot be seen by name?"""
        parent = step.call.callee.code.parent if step.call is not None else None
        return parent is not None and parent is not self.spec.code

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

    def _keep_name(self, step: Step, variable: str) -> list[gast.stmt]:
        kept = self._keep((step, variable), self.names.saved(variable), name(variable))
        if self.waiting is None or not isinstance(kept, gast.Assign) or variable in self.overwritten or not self.depth:
            return [kept]
        self.overwritten[variable] = kept.targets[0].id  # type: ignore[attr-defined]
        return []  # the attempt begins with it

    def _keep(self, key: Any, wish: str, value: gast.expr) -> gast.stmt:
        slot = self._slot(key, wish, looped=self.depth > 0)
        if slot[1] and self.waiting is not None:
            held = self.names.fresh(f"old_{wish.removesuffix('_saved')}")
            self.waiting.append(self._append(slot, name(held)))
            return assign(held, clone(value))
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
        if isinstance(s, gast.While) or _breaks(s.body) and again(s) is s.iter:
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
            if again(s) is not s.iter and self.needs_reverse(s):
                body.insert(0, gast.Expr(expression("steps.append(item)", steps=again(s), item=loaded(s.target))))
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
