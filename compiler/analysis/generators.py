"""Generators: gone through at once they are lists; one that is kept makes its list when the first item is asked for.

    sum(x * v for v in vs)      a list, summed
    m = (x * v for v in vs)  →  m = Generated(lambda: list(x * v for v in vs)); a class of frontend/equivalents.py
    next(m)                  →  m.following()
    it = iter(vs)            →  it = Generated(lambda: vs)
"""

from typing import Any

import gast

from pullback.compiler.analysis.derivatives import Derivatives
from pullback.compiler.analysis.flow import Flow, control_flow
from pullback.compiler.analysis.liveness import head_assigns, head_reads, live_variables
from pullback.compiler.analysis.program import Env, Program, Spec
from pullback.compiler.analysis.values import OPAQUE, Value, replace
from pullback.compiler.frontend import equivalents
from pullback.compiler.frontend.equivalents import Generated
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import expression, name
from pullback.compiler.ir.walk import assigned, own_nodes, reads

LAZY = "lazy"  # the mark of a list that is a generator's
ITERATORS = (map, filter, zip, enumerate, reversed)


class Generators(Derivatives):
    """The transfer function of generators and iterators."""

    env: Env
    _of_ListComp: Any

    def lazy(self, value: Value) -> Value:
        return replace(value, code=LAZY) if value.kind == "list" else value

    def is_lazy(self, node: gast.expr) -> bool:
        """Is the value of the node an iterator that runs when it is gone through?"""
        value = self.facts.types[node]
        return self.varied(value) and (value.code == LAZY or self.facts.resolved.get(node) in ITERATORS)

    def kept(self, node: gast.expr, env: Env, passed: bool = False) -> gast.expr:
        """An expression whose value outlives the place where it is made, or is passed on: a generator as an object."""
        if not isinstance(node, (gast.GeneratorExp, gast.Call)) or not (passed or hasattr(node, "kept")):
            return node
        self.value(node, env)
        if not self.is_lazy(node):
            return node
        held: list[gast.NamedExpr] = []

        def hold(part: gast.expr) -> gast.expr:
            if isinstance(part, (gast.Constant, gast.Starred, gast.Lambda)):
                return part
            held.append(gast.NamedExpr(name(self.fresh("held"), store=True), part))
            return name(held[-1].target.id)

        if isinstance(node, gast.GeneratorExp):
            first = node.generators[0]
            again = [gast.comprehension(first.target, hold(first.iter), first.ifs, False), *node.generators[1:]]
            later: gast.expr = gast.GeneratorExp(node.elt, again)
        else:
            keywords = [gast.keyword(k.arg, hold(k.value)) for k in node.keywords]
            later = gast.Call(node.func, [hold(a) for a in node.args], keywords)
        made = self._generated(gast.Call(name("list"), [later], []))
        return self._placed(Let(held, made) if held else made, node)

    def _generated(self, items: gast.expr) -> gast.expr:
        none = gast.arguments([], [], None, [], [], None, [])
        return gast.Call(self.given(Generated), [gast.Lambda(none, items)], [])

    def _call_iter(self, positional: Any, keywords: Any, node: gast.Call) -> Value:
        value = positional[0]
        if self.code.name == "__iter__" and value.kind in ("list", "tuple", "array"):
            return self.meant(node, lambda: node.args[0], self.env)  # whoever called it goes through it once
        if not self.varied(value) or len(node.args) > 1:
            return self.unsettled(node, "an explicit iterator over active values") if self.varied(value) else OPAQUE
        if value.kind == "object" and self._own(value.known.value if value.known else None, "following") is not None:
            return self.meant(node, lambda: node.args[0], self.env)
        if value.kind not in ("list", "tuple", "array", "dict"):
            return self.unsettled(node, "an explicit iterator over active values")

        def build(held: str) -> gast.expr:
            plain = value.kind == "list" and value.code != LAZY
            return self._generated(name(held) if plain else gast.Call(name("list"), [name(held)], []))

        return self.meant(node, lambda: self.let(node.args, build, "held", anew=True), self.env, value.kind)

    def _call_next(self, positional: Any, keywords: Any, node: gast.Call) -> Value:
        """next(m), next(m, v)."""
        value, source = positional[0], node.args[0]
        if not any(self.varied(v) for v in positional):
            return self.unknown(node, *positional)
        if value.kind == "object" and value.known is not None and value.known.value is Generated:
            for cell in self.program.cells(value):
                self.program.mark(cell, "partial")
            following = gast.Attribute(source, "following", gast.Load())
            return self.meant(node, lambda: gast.Call(following, node.args[1:], []), self.env)
        if value.kind != "list" or value.code != LAZY:
            return self.unsettled(node, "an explicit iterator over active values")

        def build(items: str) -> gast.expr:
            first = expression(f"{items}[0]")
            return gast.IfExp(expression(f"len({items}) > 0"), first, node.args[1]) if len(node.args) > 1 else first

        return self.meant(node, lambda: self.let([gast.Call(name("list"), [source], [])], build), self.env)

    def _of_GeneratorExp(self, node: gast.GeneratorExp, env: Env) -> Value:
        if hasattr(node, "interleaved") and any(self.varied(v) for v in self.spec.parameters.values()):
            self.refuse(node, *BETWEEN)
        return self.lazy(self._of_ListComp(node, env))

    def is_equivalent(self, code: Any) -> bool:
        """Is it a function of Python's own, which goes through an iterator at once?"""
        return code.file.endswith(equivalents.__file__.rsplit("/", 1)[-1])


# -- what runs between two items ------------------------------------------------------------------


def check_generators(program: Program) -> None:
    """Refuse generators that read what is changed while they are gone through."""
    for spec in program.specs.values():
        flow = control_flow(spec.body)
        after = live_variables(flow).after
        for s in (n for top in spec.body for n in own_nodes(top) if isinstance(n, gast.stmt)):
            if isinstance(s, gast.For) and s in spec.facts.before:
                _check_loop(program, spec, s, _read_later(flow, after, s))
            if any(c.partial for c in program.heap.values()):
                _check_partial(program, spec, s, after.get(s, frozenset()))


def _check_loop(program: Program, spec: Spec, s: gast.For, later: set[str]) -> None:
    names, memory, kept = _read_by(program, spec, s)
    inside = [n for top in s.body for n in own_nodes(top)]
    bound = assigned(s.target).union(*(assigned(top) for top in s.body))
    calls = [spec.facts.calls[n].callee.code for n in inside if n in spec.facts.calls]
    bound |= {n for code in calls for n in code.nonlocals}
    written = {site for n in inside if isinstance(n, gast.stmt) for site in spec.facts.writes.get(n, frozenset())}
    if names & bound or memory & written:
        _refuse(program, spec, s.iter)
    leaves = any(isinstance(n, gast.Break) for n in inside)
    if kept and leaves and not (isinstance(s.iter, gast.Name) and s.iter.id not in later):
        program.refuse(
            spec.code,
            s.iter,
            "generator",
            "cannot follow what is left of this iterator after a `break`",
            "It is gone through to its end here, and may be read again later.",
            "go through it with `while` and `next`, or through a list by indices",
        )


def _read_later(flow: Flow, after: dict[gast.stmt, frozenset[str]], s: gast.For) -> set[str]:
    """Variables that are read once a loop is left."""
    inside = {n for top in s.body for n in own_nodes(top)}
    found: set[str] = set()
    for n in flow.of[s].successors:
        if n.statement is not None and n.statement not in inside:
            found |= head_reads(n.statement) | (after.get(n.statement, frozenset()) - head_assigns(n.statement))
    return found


def _read_by(program: Program, spec: Spec, s: gast.For) -> tuple[set[str], set[str], bool]:
    """The variables and the memory that the generators of a loop's head read, and whether one of them is kept."""
    env = spec.facts.before[s]
    names: set[str] = set()
    values: list[Value] = []
    kept = False
    for node in gast.walk(s.iter):
        meant = spec.facts.meanings.get(node)  # of an object, the call of its `__iter__`
        source = meant.args[0] if isinstance(meant, gast.Call) and meant.args else node
        value = spec.facts.types.get(source, OPAQUE)
        if isinstance(node, gast.GeneratorExp) and program.is_varied(value):
            names |= reads(node)
            values += [env[n] for n in reads(node) if n in env]
        elif isinstance(node, gast.Call) and value.code == LAZY:
            values += [spec.facts.types[a] for a in node.args if a in spec.facts.types]
        elif value.known is not None and value.known.value is Generated:
            kept = True
            values += [c.fields["make"] for c in program.cells(value) if "make" in c.fields]
    return names, program.sites_from(*values), kept


def _check_partial(program: Program, spec: Spec, s: gast.stmt, live: frozenset[str]) -> None:
    written = spec.facts.writes.get(s, frozenset())
    env = spec.facts.after.get(s, {})
    for variable in sorted(live) if written else ():
        reached = program.sites_from(env[variable]) if variable in env else set()
        cells = [program.heap[site] for site in reached if site in program.heap]
        made = [c.fields["make"] for c in cells if c.partial and "make" in c.fields]
        if program.sites_from(*made) & written:
            _refuse(program, spec, s)


def _refuse(program: Program, spec: Spec, node: gast.AST) -> None:
    program.refuse(spec.code, node, *BETWEEN)


BETWEEN = (
    "generator",
    "cannot follow this generator: what it reads is changed between two items",
    "Its items are all made before the first is read.",
    "make a list first, or compute the items in the loop",
)
