"""Steps of statements without derivative: they end the life of adjoints, and what they change is kept for the reverse."""

import re
from typing import Any

import gast

from pullback.compiler.adjoint.context import Part
from pullback.compiler.adjoint.steps import Save, Step, kept
from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.analysis.values import attribute_site
from pullback.compiler.ir.template import assign, call, clone, constant, expression, name
from pullback.compiler.ir.walk import TRIES, assigned, own_nodes, reads, root_of
from pullback.compiler.normalise.attempts import carries_derivative

BLOCKS = (*TRIES, gast.Match)  # inert statements with statements inside, run as they are


class InertSteps(Part):
    """The part of the planner that deals with what is run as it is."""

    def step(self, s: gast.stmt) -> Step:
        """A statement without derivative: it only ends the life of the adjoints it overwrites."""
        whole = isinstance(s, BLOCKS)
        if whole:
            self.refuse_block(s)
        step = Step(s, [s], defines=(assigned(s) if whole else head_assigns(s)) | self._bound_by_calls(s))
        step.targets = tuple(sorted(step.defines))
        for target in sorted(assigned(s.targets[0]) & set(self.planner.ever_shadowed)) if isinstance(s, gast.Assign) else ():
            self._empty_shadow(step, target, self.planner.ever_shadowed[target])
        bound = self.bound_by(s) if whole else self._inert_arrays(s)
        for target in sorted(self.planner.shadowed.keys() & bound):
            self._empty_shadow(step, target, self.expressions.bar_of(target, self.planner.shadowed[target]))
        return step

    def _inert_arrays(self, s: gast.stmt) -> set[str]:
        """The variables that an assignment binds to arrays without a shadow of their own, or of which it tells nothing more."""
        bound = {t: self.after(s, t) for t in assigned(s.targets[0])} if isinstance(s, gast.Assign) else {}
        return {t for t, value in bound.items() if value.kind == "array" or self.shadows.has(value)}

    def _bound_by_calls(self, s: gast.stmt) -> set[str]:
        """Variables of this function that functions inside it, called by an inert statement, bind anew."""
        calls = [self.facts.calls[n] for n in own_nodes(s) if n in self.facts.calls]
        return set().union(*(c.callee.code.nonlocals for c in calls))

    def bound_by(self, s: Any) -> set[str]:
        """The variables that are bound after an inert block, whichever way it went."""
        before = {n for n, v in self.facts.before.get(s, {}).items() if not v.unbound}
        arms = [[*s.body, *s.orelse], *(h.body for h in s.handlers)] if isinstance(s, TRIES) else [c.body for c in s.cases]
        bound: list[set[str]] = [set().union(*map(assigned, arm)) for arm in arms]
        return assigned(s) & (before | bound[0].intersection(*bound))

    def _empty_shadow(self, step: Step, target: str, bar: str) -> None:
        """Something inert, or None, in a variable that has a shadow elsewhere."""
        value = self.planner.shadowed.get(target, self.after(step.statement, target))
        step.forward.append(assign(bar, self.planner.containers.zeros_of(name(target), value)))
        step.defines.add(bar)

    def refuse_block(self, s: Any) -> None:
        """A `match` is run as it is; what is active must not change inside it."""
        if carries_derivative(self.program, self.facts, s):
            self.refuse(
                s,
                "cannot differentiate through this statement",
                "It assigns or writes something active, and which way it goes is not followed.",
                "use if and else, or `try` and `except`",
            )

    def keep_rest(self, step: Step) -> None:
        """What else a statement changes than its own part of both sweeps takes care of; of a call, that is its callee's."""
        if step.call is not None:
            return
        s = step.statement
        covered = {root for save in step.saves for root in save.roots} | step.undo.keys()
        inner = (n for n in own_nodes(s) if isinstance(n, gast.stmt)) if isinstance(s, BLOCKS) else (s,)
        for site in sorted({site for n in inner for site in self.facts.writes.get(n, frozenset())}):
            if self.program.root(site) not in covered:
                self._save_whole(step, s, site)

    def _save_whole(self, step: Step, s: gast.stmt, site: str) -> None:
        """Memory changed in a way that is not followed: keep all of it."""
        if site.startswith(attribute_site("")):
            return  # and refused where it is read
        root = self.program.root(site)
        place = _outside_place(site)
        env = self.facts.before.get(s, {})
        leading = {v for v in env if not env[v].unbound and site in self.program.sites_from(env[v])}
        if isinstance(place, gast.expr):
            self.keep_content(step, place, self.program.heap[site].kind, frozenset([root]))
            for variable in sorted(v for v in self._read_by(s) & leading if site in env[v].sites):
                self.keep_content(step, name(variable), env[variable].kind, self.program.roots(env[variable]))  # perhaps a copy
            return
        variables = sorted(self._read_by(s) & leading or leading)
        if place is None and all(site in env[v].sites for v in variables):
            for variable in variables:
                self.keep_content(step, name(variable), env[variable].kind, self.program.roots(env[variable]))
        else:  # which of several it is, behind others, shows as it runs
            self._keep_reached(step, [*variables, *([place] if place is not None else [])], root)

    def _read_by(self, s: gast.stmt) -> set[str]:
        """The variables that a statement reads, and those that the functions it calls do."""
        calls = (self.facts.calls[n] for n in own_nodes(s) if n in self.facts.calls)
        return reads(s).union(*(c.callee.code.captured for c in calls))

    def _keep_reached(self, step: Step, variables: list[str], root: str) -> None:
        """All that the variables lead to is kept."""
        kinds = {c.kind for site, c in self.program.heap.items() if self.program.root(site) == root}
        value = call("contents", constant(kinds.pop() if len(kinds) == 1 else ""), *map(name, variables))
        restore = gast.Expr(call("refill_each", kept()))
        if variables and not any(gast.dump(value) == gast.dump(other.value) for other in step.saves):
            step.saves.append(Save(frozenset([root]), value, restore, variables[0]))

    def keep_content(
        self, step: Step, place: gast.expr, kind: str, roots: frozenset[str], through: frozenset[str] = frozenset()
    ) -> None:
        """What something of a kind holds is kept; `through`: the memory of the containers that it is found in."""
        text = {"array": "v.copy()", "list": "v.copy()", "dict": "v.copy()"}.get(kind, "content(v)")
        restore = gast.Expr(call("refill", clone(place), kept()))
        save = Save(roots, expression(text, v=place), restore, root_of(place).id, through)
        if not any(gast.dump(restore) == gast.dump(other.restore) for other in step.saves):
            step.saves.append(save)


def _outside_place(site: str) -> gast.expr | str | None:
    """Where a global, or something in one, is found: "global TABLE['a']" → TABLE["a"]; or only in which global."""
    kind, _, text = site.partition(" ")
    if kind != "global":
        return None
    base = re.split(r"[\[.]", text)[0]
    if "[*]" in text:
        return base
    try:
        place = expression(text)
    except SyntaxError:  # a key without a text
        return base
    return place if isinstance(root_of(place), gast.Name) else None
