"""To-be-recorded: which overwritten values the reverse sweep will read, and where each is kept.

A forward problem: the facts are the names and memory classes whose present content some statement
already passed will read in reverse. A statement that overwrites one of them has to keep it.
"""

import functools
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from typing import Any

import gast

from pullback.compiler.adjoint.reading import content_reads, reverse_texts
from pullback.compiler.adjoint.steps import Save, Step
from pullback.compiler.adjoint.untouched import Untouched
from pullback.compiler.analysis.program import Env, Program, Spec
from pullback.compiler.analysis.values import Value, attribute_site
from pullback.compiler.ir.nodes import Attempt, Finally
from pullback.compiler.ir.walk import again, every_node, indices_of, names_in, own_nodes, reads

Need = frozenset[tuple[str, str]]
HEAD = (
    "cannot put back what the head of this statement changes",
    "Asking for what it goes through, or what it tests, changes something that derivatives read.",
    "go through a list, as in `for v in list(steps)`, or give what it tests a name first",
)
ATTRIBUTE = (
    "cannot put back the attribute of a class or module that this changes",
    "Derivatives read an attribute of this name as it was before.",
    "keep the value in an object or a variable, or read it into a variable first",
)


@dataclass
class Recording:
    """Where values are kept: before a statement, after it, or at the end of a block."""

    names: dict[Step, set[str]] = field(default_factory=dict)  # kept before the statement overwrites them
    content: dict[Step, list[Save]] = field(default_factory=dict)
    undone: dict[Step, set[str]] = field(default_factory=dict)
    at_end: dict[int, dict[str, None]] = field(default_factory=dict)  # by id of a block
    loops: dict[gast.stmt, set[str]] = field(default_factory=dict)  # loop targets kept before a loop
    unbound: set[str] = field(default_factory=set)  # names that need a value from the start


class Recorder:
    """Solves the problem over the structured body."""

    def __init__(
        self,
        program: Program,
        spec: Spec,
        steps: dict[gast.stmt, Step],
        reaching: Any,
        useful: dict[gast.stmt, bool],
        retested: Any,
        begun: Any,
        reset: Any,
        unused: Any,
    ) -> None:
        self.program = program
        self.spec = spec
        self.steps = steps
        self.reaching = reaching
        self.primal_names = reaching.names()
        self.useful = useful
        self.retested = retested
        self.begun = begun  # the variables whose adjoints begin at a branch or loop, as zeros of their shape
        self.reset = reset  # those whose adjoints a round of a loop leaves as zeros of the shape that they had before it
        self.unused = unused  # those of the results of a step whose adjoints begin as zeros of their shape there
        self._old: dict[Step, Need] = {}
        self._concerned: dict[gast.stmt, frozenset[str]] = {}
        self._exposing: dict[Step, frozenset[str]] = {}
        self.untouched = Untouched(spec, reaching)
        self._regions: dict[Save, Any] = {}

    def content_of(self, body: list[gast.stmt]) -> Need:
        """All memory whose content some statement of the block reads in reverse."""
        found: Need = frozenset()
        for s in body:
            if s in self.steps:
                found = found | self._old_reads(self.steps[s])
            elif isinstance(s, gast.If):
                found = found | self._reads([s.test], s)
            elif isinstance(s, gast.For):
                found = found | self._reads([again(s)], s)
            for f in ("body", "orelse"):
                found = found | self.content_of(getattr(s, f, []))
        return frozenset(n for n in found if n[0] == "memory")

    def run(self, body: list[gast.stmt], memory: dict[Spec, Need], asked: Need) -> Recording:
        """`memory`: what the reverse sweep of each function called reads; `asked`: those of the callers."""
        self.memory = memory
        self.asked: dict[Spec, Need] = {}  # of each function called: the memory that must survive it
        self.recording = Recording()
        self.breaks: list[list[Need]] = []
        self.block(body, asked)
        return self.recording

    def taken_back(self) -> Need:
        """What the reverse sweep has to find as it was left: lists whose changes it undoes, and what leads to others."""
        roots = {r for undone in self.recording.undone.values() for r in undone}
        saves = [save for saves in self.recording.content.values() for save in saves]
        lists = (r for save in saves for r in save.roots if r in self.program.heap and self.program.heap[r].kind == "list")
        ways = (step.undo_through for step in self.recording.undone)
        return frozenset(("memory", r) for r in roots.union(lists, *(save.through for save in saves), *ways))

    def block(self, body: list[gast.stmt], need: Need) -> Need:
        for statement in body:
            need = self.statement(statement, need)
        return need

    def statement(self, s: gast.stmt, need: Need) -> Need:
        if not isinstance(s, (gast.For, gast.While)) and s not in self.steps:
            self._undisturbed(s, need)
        if isinstance(s, gast.If):
            need = need | frozenset(("name", v) for v in self.begun(s))
            after = self.block(s.body, need) | self.block(s.orelse, need)
            return after | self._reads([s.test], s) if self.retested(s) else after
        if isinstance(s, (gast.For, gast.While)):
            return self._loop(s, need) | frozenset(("name", v) for v in self.begun(s))
        if isinstance(s, gast.With):
            need = self.block(s.body, need)
            return self._finally(s, need) if isinstance(s, Finally) else need
        if isinstance(s, gast.Break):
            self.breaks[-1].append(need)
            return need
        if s in self.steps:
            return self._step(self.steps[s], need)
        return need

    def _finally(self, s: Finally, need: Need) -> Need:
        """After an exception it may meet names that the body was to bind."""
        after = self.block(s.orelse, need)
        inside = (n for one in s.orelse for n in own_nodes(one) if isinstance(n, gast.stmt))
        kept = (v for n in inside if n in self.steps for v in self.recording.names.get(self.steps[n], ()))
        self.recording.unbound |= {v for v in kept if not self._certain(v, s)}
        return after

    # -- simple statements ----------------------------------------------------------------------

    def _step(self, step: Step, need: Need) -> Need:
        used = self.useful.get(step.statement, False)
        old = need
        if used:
            old = need | self._old_reads(step)
        callee = step.call.callee if step.call is not None else None
        if callee is not None:
            memory = frozenset(n for n in old if n[0] == "memory")
            self.asked[callee] = self.asked.get(callee, frozenset()) | memory
        for variable in sorted(step.defines):
            if ("name", variable) in old and not step.swap:
                self.recording.names.setdefault(step, set()).add(variable)
                if not self._certain(variable, step.statement):
                    self.recording.unbound.add(variable)
        if step.call is None and self._changed_attributes:
            put_back = {root for save in step.saves for root in save.roots}
            self._undisturbed(step.statement, old, self._changed_attributes - put_back)
        for save in step.saves:
            if any(("memory", r) in old for r in save.roots) and not self._unread(step, save):
                kept = self.recording.content.setdefault(step, [])
                if save not in kept:
                    kept.append(save)
                old = old | self._reads(indices_of(save.restore), step.statement)
                old = old | {("name", save.base), *(("memory", r) for r in save.through)}  # it is put back through these
        for root in step.undo:
            if ("memory", root) in old:
                self.recording.undone.setdefault(step, set()).add(root)
                old = old | {("name", v) for s in step.undo[root] for v in reads(s)}
                old = old | {("memory", r) for r in step.undo_through}
        if step.swap:
            return _moved(step, old)
        new = old - {("name", v) for v in step.defines}
        if step in self.recording.undone:
            new = new | {("name", v) for v in step.undo_reads}
        if used and callee is not None:
            new = new | self.memory.get(callee, frozenset())
        if used:
            new = new | {("name", v) for v in self.unused(step)}
            env = self.spec.facts.after.get(step.statement, {})
            for variable in step.reads_new:
                new = new | {("name", variable)} | self._memory(env.get(variable))
        return new

    def _certain(self, variable: str, s: gast.stmt) -> bool:
        base = self._base(variable)
        if base is None or base not in self.primal_names or not self.reaching.certain(base, s):
            return False
        return base == variable or all(self._comes_with(variable, d) for d in self._definitions(base, s))

    def _definitions(self, base: str, at: gast.stmt) -> Iterator[gast.stmt]:
        before = self.reaching.before.get(at, frozenset())
        return (s for name, s in before if name == base and s is not None)

    def _comes_with(self, variable: str, s: gast.stmt) -> bool:
        """Does the statement that binds a variable bind its shadow too?"""
        return s in self.steps and variable in self.steps[s].defines

    def _base(self, variable: str) -> str | None:
        """The primal variable that a generated one goes with."""
        if variable in self.primal_names:
            return variable
        partners = self.spec.code.names.partners()
        return next((o for (o, kind), p in partners.items() if p == variable and kind in ("bar", "shadow")), None)

    def _old_reads(self, step: Step) -> Need:
        if step not in self._old:
            own = self._reads(reverse_texts(step), step.statement) | {("name", b) for b in step.shadow_reads}
            new = step.reads_new - step.reads_both
            self._old[step] = frozenset(n for n in own if not (n[0] == "name" and n[1] in new))
        return self._old[step]

    def _reads(self, trees: list[Any], s: gast.stmt) -> Need:
        read = self._memory_read(trees, s)
        return frozenset(("name", v) for v in read).union(*read.values())

    def _memory_read(self, trees: list[Any], s: gast.stmt) -> dict[str, Need]:
        """The variables read at a statement, with the memory that is read through each."""
        env = self._env(s)
        found: dict[str, Need] = {}
        for tree in trees:
            contents = content_reads(tree)
            for variable in reads(tree):
                value = env.get(variable) or self._outside(variable)
                read = self._memory(value) if variable in contents else self._slots(value)
                found[variable] = found.get(variable, frozenset()) | read | self._attributes(tree)
        return found

    def _attributes(self, tree: gast.AST) -> Need:
        """The attributes that it reads, of those that the program changes on classes or modules."""
        if not self._changed_attributes:
            return frozenset()
        words = {attribute_site(n.attr) for n in every_node(tree) if isinstance(n, gast.Attribute)}
        return frozenset(("memory", site) for site in words & self._changed_attributes)

    @functools.cached_property
    def _changed_attributes(self) -> set[str]:
        return {site for spec in self.program.specs.values() for site in spec.written if site.startswith(attribute_site(""))}

    def _env(self, s: gast.stmt) -> Env:
        env: Env = {
            **self.spec.parameters,
            **self.spec.facts.after.get(s, {}),
            **self.spec.facts.before.get(s, {}),
        }
        return env | self.steps[s].values if s in self.steps else env

    def _outside(self, variable: str) -> Value | None:
        """A global that is something with content."""
        site = f"global {variable}"
        return Value("opaque", sites=frozenset([site])) if site in self.program.heap else None

    def _slots(self, value: Value | None) -> Need:
        """The memory that tells which arrays a container holds: a part of another may have another shape."""
        if value is None or value.numeric:
            return frozenset()
        heap = self.program.heap
        found = (site for site in self.program.sites_from(value) if site not in heap or heap[site].kind != "array")
        return frozenset(("memory", self.program.root(site)) for site in found)

    def _memory(self, value: Value | None) -> Need:
        return frozenset(("memory", r) for r in self.program.reached(value)) if value is not None else frozenset()

    def _undisturbed(self, s: gast.stmt, need: Need, among: Set[str] | None = None) -> None:
        """What the head of a compound statement changes cannot be put back: the reverse must not read it.

        among: of another statement, what no part of it puts back.
        """
        roots = {self.program.root(site) for site in self.spec.facts.writes.get(s, frozenset())}
        changed = frozenset(("memory", r) for r in (roots if among is None else roots & among))
        if changed & need:
            self.program.refuse(
                self.spec.code,
                s,
                "head",
                *(HEAD if among is None else ATTRIBUTE),
            )

    # -- memory that nothing has read since it was made -----------------------------------------

    def _unread(self, step: Step, save: Save) -> bool:
        """Was what is written to made by this block, and has nothing read it since that does so in reverse?"""
        if save not in self._regions:
            self._regions[save] = self.untouched.between(step, save)
        found = self._regions[save]
        if found is None or save.base in self._read_after(found[0]):
            return False
        roots = frozenset(("memory", r) for r in save.roots)
        return not any(self._touches(s, roots, *found) for s in [*found[1], step.statement])

    def _touches(self, s: gast.stmt, roots: Need, made: gast.stmt, between: list[gast.stmt]) -> bool:
        """May the reverse of a statement read the array that was made?"""
        read = self._memory_read(self._taken_in(s), s)
        env = self._env(s)
        for variable, memory in read.items():
            plain = variable in env and env[variable].numeric and variable in self.primal_names
            if memory & roots and not (plain and not self.untouched.may_hold(variable, s, made, between)):
                return True
        if s not in self.steps:
            return False
        after = self.spec.facts.after.get(s, {})
        call = self.steps[s].call
        called = self.memory.get(call.callee, frozenset()) if call is not None else frozenset()
        return bool(called & roots) or any(self._memory(after.get(v)) & roots for v in self._read_after(s))

    def _read_after(self, s: gast.stmt) -> set[str]:
        return self.steps[s].reads_new if s in self.steps else set()

    def _taken_in(self, s: gast.stmt) -> list[Any]:
        """All that a statement reads in reverse itself, whichever way it goes."""
        if s in self.steps:
            step = self.steps[s]
            indices = (i for save in step.saves for i in indices_of(save.restore))
            return [*reverse_texts(step), *indices, *(u for undo in step.undo.values() for u in undo)]
        if isinstance(s, gast.With):
            return list(s.items)
        return [again(s)] if isinstance(s, gast.For) else [s.test] if isinstance(s, (gast.If, gast.While)) else []

    # -- loops --------------------------------------------------------------------------------

    def _loop(self, loop: Any, need: Need) -> Need:
        targets = names_in(loop.target) if isinstance(loop, gast.For) else set()
        for target in targets:
            if ("name", target) in need:
                self.recording.loops.setdefault(loop, set()).add(target)
        inside = need | {("name", v) for v in self.reset(loop)}
        while True:
            self.breaks.append([])
            end = self.block(loop.body, inside - {("name", t) for t in targets})
            left = frozenset().union(*self.breaks.pop()) | end
            ended = self._ends(loop, left, need)
            grown = inside | (left - ended)
            if grown == inside:
                break
            inside = grown
        after = inside | (left - ended)
        self._undisturbed(loop, after)
        if isinstance(loop, gast.For):
            after = after - {("name", t) for t in targets} | self._reads([again(loop)], loop)
        return after

    def _ends(self, loop: Any, left: Need, need: Need) -> Need:
        """Names of this loop's own iteration, whose value is kept at the end of the block they live in."""
        ended: set[tuple[str, str]] = set()
        for kind, variable in sorted(left):
            if kind != "name" or (kind, variable) in need:
                continue
            block = self._home(loop.body, variable)
            owner = self._base(variable) or variable
            if (
                block is None
                or not self._assigns(block, variable)
                or self._exposed(loop.body, variable)
                or (owner != variable and self._exposed(loop.body, owner))
            ):
                continue
            self.recording.at_end.setdefault(id(block), {})[variable] = None
            ended.add((kind, variable))
        return frozenset(ended)

    def _home(self, body: list[gast.stmt], variable: str) -> list[gast.stmt] | None:
        """The deepest block of an iteration that holds all that has to do with a variable."""
        holding = [s for s in body if variable in self._concerns(s)]
        if not holding or not any(variable in self._defines(s) for s in holding):
            return None
        if len(holding) == 1 and isinstance(holding[0], gast.If) and variable not in reads(holding[0].test):
            arms = [a for a in (holding[0].body, holding[0].orelse) if any(variable in self._concerns(s) for s in a)]
            if len(arms) == 1:
                return self._home(arms[0], variable)
        if len(holding) == 1 and isinstance(holding[0], (gast.For, gast.While)):
            return None
        return body

    def _concerns(self, s: gast.stmt) -> frozenset[str]:
        """The variables that a statement, or one inside it, defines or reads in reverse."""
        if s not in self._concerned:
            self._concerned[s] = frozenset(self._defines(s).union(*self._concerns_inside(s)))
        return self._concerned[s]

    def _concerns_inside(self, s: gast.stmt) -> list[Iterable[str]]:
        if s in self.steps:
            step = self.steps[s]
            return [step.reads_new, step.shadow_reads, *(reads(t) for t in reverse_texts(step))]
        if isinstance(s, gast.If):
            return [reads(s.test), *(self._concerns(i) for i in [*s.body, *s.orelse])]
        head = [reads(again(s))] if isinstance(s, gast.For) else []
        return [*head, *(self._concerns(i) for f in ("body", "orelse") for i in getattr(s, f, []))]

    def _defines(self, s: gast.stmt) -> set[str]:
        if s in self.steps:
            return self.steps[s].defines
        own = names_in(s.target) if isinstance(s, gast.For) else set()
        return own.union(*(self._defines(i) for f in ("body", "orelse") for i in getattr(s, f, [])))

    def _assigns(self, block: list[gast.stmt], variable: str) -> bool:
        """Is the variable certainly assigned by the block (or the iteration left)?"""
        for s in block:
            if s in self.steps and variable in self.steps[s].defines:
                return True
            if isinstance(s, gast.If):
                arms = [s.body, s.orelse]
                if all(self._assigns(a, variable) or (a and isinstance(a[-1], gast.Break) and False) for a in arms):
                    return True
        return False

    def _exposed(self, body: list[gast.stmt], variable: str) -> bool:
        """May an iteration read the value that an earlier one left?"""
        return self._reads_first(body, variable) is True

    def _read_by(self, step: Step) -> frozenset[str]:
        """What the forward part of a step reads."""
        if step not in self._exposing:
            self._exposing[step] = frozenset(reads(step.statement).union(*(reads(f) for f in step.forward[:1])))
        return self._exposing[step]

    def _reads_first(self, body: list[gast.stmt], variable: str) -> bool | None:
        """True: read before assigned; False: assigned first; None: neither on some path."""
        for s in body:
            if s in self.steps:
                step = self.steps[s]
                if variable in self._read_by(step):
                    return True
                if variable in step.defines:
                    return False
            elif isinstance(s, gast.If):
                if variable in reads(s.test) and not isinstance(s, Attempt):
                    return True
                arms = [self._reads_first(a, variable) for a in (s.body, s.orelse)]
                if True in arms:
                    return True
                if arms == [False, False]:
                    return False
            elif isinstance(s, (gast.For, gast.While)):
                head = s.iter if isinstance(s, gast.For) else s.test
                if variable in reads(head) or self._reads_first(s.body, variable) is True:
                    return True
            elif isinstance(s, gast.With):
                inner = self._reads_first([*s.body, *getattr(s, "orelse", [])], variable)
                if inner is not None:
                    return inner
        return None


def _moved(step: Step, need: Need) -> Need:
    """a, b = b, a: what is needed of a is in b now."""
    statement: Any = step.statement
    pairs = [(t.id, s.id) for t, s in zip(statement.targets[0].elts, statement.value.elts)]
    pairs += step.bars
    kept = need - {("name", t) for t, _ in pairs}
    return kept | {("name", t) for t, s in pairs if ("name", s) in need}
