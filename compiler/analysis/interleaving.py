"""What runs between two items of a generator: all its items are made at once, where Python makes them one by one.

    for v in steps(spring):     not so where `steps` writes what the loop reads, or reads what the loop writes,
        s += v * spring.speed   and where it writes anything, or might not end, but is not gone through to its end

There a generator function runs step by step; a generator expression is refused.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

from pullback.compiler.analysis.flow import control_flow
from pullback.compiler.analysis.functions import closure_of
from pullback.compiler.analysis.liveness import live_variables
from pullback.compiler.analysis.program import Code, Interleaved, Program, Spec
from pullback.compiler.analysis.values import OPAQUE, Value, is_callable
from pullback.compiler.frontend.iterators import Generated, Stepped
from pullback.compiler.ir.walk import COMPREHENSIONS, SCOPES, assigned, children, own_nodes, reads

WHOLE = (list, tuple, dict, set, sorted, sum, min, max)  # what goes through an iterator to its end
BETWEEN = (
    "generator",
    "cannot follow this generator: what it reads is changed between two items",
    "Its items are all made before the first is read.",
    "make a list first, or compute the items in the loop",
)


@dataclass
class Run:
    """What making the items of generators reads and writes."""

    reads: set[str] = field(default_factory=set)  # variables of the function
    rebinds: set[str] = field(default_factory=set)
    memory: set[str] = field(default_factory=set)  # what can be got at from what they read
    items: set[str] = field(default_factory=set)  # and from the items
    written: set[str] = field(default_factory=set)
    kept: bool = False  # is one of them an object that may be read again?
    codes: set[Code] = field(default_factory=set)  # the generator functions

    def add(self, other: "Run") -> None:
        self.reads |= other.reads
        self.rebinds |= other.rebinds
        self.memory |= other.memory
        self.items |= other.items
        self.written |= other.written
        self.kept |= other.kept
        self.codes |= other.codes

    @property
    def outward(self) -> set[str]:
        """What is written that others can see."""
        return self.written & (self.memory | self.items)


def check_generators(program: Program) -> None:
    """Refuse generators whose items cannot all be made before the first is read, or raise Interleaved."""
    for key, spec in program.specs.items():
        checker = _Checker(program, spec)
        flat = "flat" in program.forms.get(key, ())
        for s in checker.statements:
            if isinstance(s, gast.For) and s in spec.facts.before:
                checker.loop(s)
            if any(c.partial for c in program.heap.values()):
                checker.partial(s)
            if not flat and s in spec.facts.before:
                checker.heads(s)


class _Checker:
    def __init__(self, program: Program, spec: Spec) -> None:
        self.program = program
        self.spec = spec
        self.facts = spec.facts
        self.statements = [n for top in spec.body for n in own_nodes(top) if isinstance(n, gast.stmt)]
        self.env: dict[str, Value] = {}

    @functools.cached_property
    def after(self) -> dict[gast.stmt, frozenset[str]]:
        """The names that are read after a statement."""
        return live_variables(control_flow(self.spec.body)).after

    def refuse(self, node: gast.AST, run: Run) -> None:
        if run.codes:
            raise Interleaved(run.codes)
        self.program.refuse(self.spec.code, node, *BETWEEN)

    # -- what runs ----------------------------------------------------------------------------

    def run_of(self, *nodes: gast.AST) -> Run:
        """What the generators in expressions do."""
        found = Run()
        for node in nodes:
            for inner in self._with_meanings(node):
                found.add(self._own(inner))
        return found

    def _with_meanings(self, node: gast.AST) -> Iterator[gast.AST]:
        yield node
        if node in self.facts.meanings:
            yield from self._with_meanings(self.facts.meanings[node])
        for child in children(node) if not isinstance(node, SCOPES) else ():
            yield from self._with_meanings(child)

    def _own(self, node: Any) -> Run:
        """What one node that stands for items does."""
        value = self.facts.types.get(node, OPAQUE)
        if isinstance(node, gast.GeneratorExp) and self.program.is_varied(value):
            names = self.spec.code.needed(reads(node))[0] | reads(node)
            called = self._called(node)
            return Run(names, set(), self._sites(names), self._held(value), called)
        fact = self.facts.calls.get(node)
        if fact is not None and fact.callee.code.generates:
            code = fact.callee.code
            memory = self.program.sites_from(*fact.callee.parameters.values())
            written = set(fact.callee.written)
            return Run(set(code.captured), set(code.nonlocals), memory, self._held(value), written, codes={code})
        if value.known is not None and value.known.value is Generated:
            cells = self.program.cells(value)
            made = [c.fields["make"] for c in cells if "make" in c.fields]
            own = {s for s in value.sites if s in self.program.heap}
            called = set(fact.callee.written) if fact is not None else set()
            codes = self._generators(made)
            return Run(memory=self.program.sites_from(*made), written=called - own, kept=True, codes=codes)
        return Run()

    def _generators(self, made: list[Value]) -> set[Code]:
        """The generator functions that kept generators get their items from."""
        called = {f.callee.code for s in self._texts(made) for f in s.facts.calls.values()}
        return {c for c in called if c.generates}

    def _called(self, node: gast.AST) -> set[str]:
        facts = [self.facts.calls.get(n) for n in self._with_meanings(node)]
        return set().union(*(f.callee.written for f in facts if f is not None))

    def _held(self, value: Value) -> set[str]:
        """The memory of a list's items, without the list."""
        return self.program.sites_from(*(v for c in self.program.cells(value) for v in c.held()))

    def _sites(self, names: set[str]) -> set[str]:
        return self.program.sites_from(*(self.env[n] for n in names if n in self.env))

    # -- loops --------------------------------------------------------------------------------

    def loop(self, s: gast.For) -> None:
        self.env = self.facts.before[s]
        run = self.run_of(s.iter)
        self._between(s.iter, run, s.target, s.body)

    def _between(self, node: gast.AST, run: Run, target: gast.AST, body: list[Any]) -> None:
        """Does what runs between two items change what the next ones are made of, or see what making them changed?"""
        every = [n for top in body for n in self._with_meanings(top)]
        calls = [self.facts.calls[n].callee for n in every if n in self.facts.calls]
        bound = assigned(target).union(*(assigned(top) for top in body), *(c.code.nonlocals for c in calls))
        written = {site for n in every if isinstance(n, gast.stmt) for site in self.facts.writes.get(n, frozenset())}
        written |= {site for c in calls for site in c.written}
        names = set().union(*(reads(top) for top in body))
        names |= self.spec.code.needed(names)[0]
        seen = (run.items | self._sites(names)) if run.outward else set()
        if run.reads & bound or run.memory & written or run.rebinds & names or run.written & seen:
            self.refuse(node, run)

    # -- what is not gone through to its end ----------------------------------------------------

    def heads(self, s: gast.stmt) -> None:
        """The expressions of a statement, of a compound one those of its head."""
        self.env = self.facts.before[s]
        unpacks = isinstance(s, gast.Assign) and isinstance(s.targets[0], (gast.Tuple, gast.List))
        loops = isinstance(s, gast.For) and not any(isinstance(n, gast.Break) for top in s.body for n in own_nodes(top))
        for child in children(s):
            if isinstance(child, gast.expr):
                self.visit(child, unpacks or loops)

    def visit(self, node: gast.AST, whole: bool) -> None:
        """`whole`: is the iterator that a node stands for gone through to its end, before anything else runs?"""
        thing = self.facts.resolved.get(node) if isinstance(node, gast.Call) else None
        if isinstance(node, gast.Call) and thing is not sorted and node not in self.facts.calls:
            self._arguments(node)
        if node in self.facts.meanings and thing is not next:
            return self.visit(self.facts.meanings[node], whole)
        run = self._own(node)
        goes_on = any(c.may_go_on for c in run.codes)
        if not whole and not isinstance(node, gast.GeneratorExp) and (run.outward or goes_on):
            self.refuse(node, run)
        if isinstance(node, COMPREHENSIONS):
            return self._comprehension(node, whole)
        if isinstance(node, gast.Call):
            passes = whole and thing is enumerate or any(thing is w for w in WHOLE)
            for part in [*node.args, *(k.value for k in node.keywords)]:
                self.visit(part, passes)
            return self.visit(node.func, False)
        for child in children(node) if not isinstance(node, SCOPES) else ():
            self.visit(child, isinstance(node, gast.Starred))

    def _arguments(self, node: gast.Call) -> None:
        """max(steps, key=order), zip(steps, map(f, xs)), sum(steps, f()): what runs as the items are taken."""
        arguments = [*node.args, *(k.value for k in node.keywords)]
        functions = [v for v in (self.facts.types.get(a, OPAQUE) for a in arguments) if is_callable(v)]
        meant = list(self._with_meanings(node)) if functions else []
        by_functions = {site for n in meant for site in self.facts.writes.get(n, ())}
        helpers = {site for n in meant if n in self.facts.calls for site in self.facts.calls[n].callee.written}
        for part in arguments if len(arguments) > 1 else ():
            run = self.run_of(part)
            every = [n for other in arguments if other is not part for n in self._with_meanings(other)]
            callees = [self.facts.calls[n].callee for n in every if n in self.facts.calls] + self._texts(functions)
            bound = set().union(*(c.code.nonlocals for c in callees))
            written = by_functions.union(*(c.written for c in callees), *(self.facts.writes.get(n, ()) for n in every))
            disturbed = run.memory & (written | helpers) or self._of_steps(part) & written
            if disturbed or run.reads & bound or run.written & self.program.sites_from(*functions):
                self.refuse(part, run)

    def _of_steps(self, node: gast.AST) -> set[str]:
        """The memory of a generator that runs step by step already, which is no help where all is taken at once."""
        value = self.facts.types.get(node, OPAQUE)
        stepped = any(isinstance(c.cls, type) and issubclass(c.cls, Stepped) for c in self.program.cells(value))
        return self.program.sites_from(value) if stepped else set()

    def _texts(self, functions: list[Value]) -> list[Spec]:
        """What functions that travel are specialised to."""
        codes = {closure_of(c.cls) for v in functions for c in self.program.cells(v)}
        return [s for s in self.program.specs.values() if s.code in codes]

    def _comprehension(self, node: Any, whole: bool) -> None:
        whole = whole or not isinstance(node, gast.GeneratorExp)
        parts = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        for i, generator in enumerate(node.generators):
            if not whole and generator.iter in self.facts.stepping:
                self.refuse(generator.iter, Run())
            inner = [*parts, *generator.ifs, *(g.iter for g in node.generators[i + 1 :])]
            self._between(generator.iter, self.run_of(generator.iter), generator.target, inner)
            self.visit(generator.iter, whole or i > 0)
            for test in generator.ifs:
                self.visit(test, False)
        for part in parts:
            self.visit(part, False)

    # -- what is read in parts ------------------------------------------------------------------

    def partial(self, s: gast.stmt) -> None:
        written = self.facts.writes.get(s, frozenset())
        env = self.facts.after.get(s, {})
        live = self.after.get(s, frozenset())
        for variable in sorted(live) if written else ():
            reached = self.program.sites_from(env[variable]) if variable in env else set()
            cells = [self.program.heap[site] for site in reached if site in self.program.heap]
            made = [c.fields["make"] for c in cells if c.partial and "make" in c.fields]
            if self.program.sites_from(*made) & written:
                self.refuse(s, Run(codes=self._generators(made)))
