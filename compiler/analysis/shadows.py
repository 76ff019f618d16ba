"""Which variables have shadows: adjoints that are made with the object and written in place.

Everything mutable that is active and written, or held by a container, has one; so aliases agree by
construction. Arrays that gathering.py finds have one, too. Other active variables have value adjoints.

A container is loose if a variable gets an element of it that is an array or a number, as the program runs:
then the shadow of a number in it is an array of no dimension, which the variable's adjoint can be. A tuple is
no memory of its own: where one has such an element, every container of the program is loose.
"""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import gast

from pullback.compiler.analysis.gathering import gathered
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value
from pullback.compiler.ir.walk import every_node

EVERY = "every"  # of the containers


@dataclass(frozen=True)
class Shadows:
    """The classes of array memory that have a shadow."""

    program: Program
    roots: frozenset[str]
    loose: frozenset[str] = frozenset()
    every_loose: bool = False

    def has(self, value: Value) -> bool:
        """Is the adjoint of such a value a shadow? A number's is, where its variable holds a shadowed array elsewhere."""
        if value.kind in CONTAINERS:
            return self.program.is_varied(value)
        if value.beside:
            return any(self.program.root(site) in self.roots for site in value.beside)
        return value.kind in ("array", "number") and value.smooth and bool(self.program.roots(value) & self.roots)

    def has_loose(self, value: Value) -> bool:
        """Are shadows of numbers in it arrays?"""
        return self.every_loose or value.numeric or bool(self.program.reached(value) & self.loose)

    @functools.cached_property
    def asked_for_keys(self) -> frozenset[str]:
        """The dicts of which the program asks what keys they have: a new key has to go again in reverse."""
        found: set[str] = set()
        for spec in self.program.specs.values():
            for node in (n for s in spec.body for n in every_node(s) if n not in spec.facts.calls):
                for asked in _asked_for_keys(node):
                    value = spec.facts.types.get(asked)
                    if value is not None and value.kind == "dict":
                        found |= self.program.roots(value)
        return frozenset(found)

    def has_value_adjoint(self, value: Value) -> bool:
        """Is its adjoint an ordinary value?"""
        return self.program.is_varied(value) and not self.has(value)


def find_shadows(program: Program) -> Shadows:
    """The memory classes with a member that is active and one that is written, stored or handed on again and again."""
    varied: set[str] = set()
    exposed = gathered(program)
    for site, cell in program.heap.items():
        root = program.root(site)
        if cell.kind == "array" and cell.varied:
            varied.add(root)
        if cell.kind == "array" and (cell.written or cell.stored):
            exposed.add(root)
    shadows = Shadows(program, frozenset(varied & exposed))
    loose = frozenset(r for spec in program.specs.values() for r in _loose(spec, shadows))
    every = any(_holds_either(v, shadows) for spec in program.specs.values() for v in spec.facts.types.values())
    return Shadows(program, shadows.roots, loose - {EVERY}, every or EVERY in loose)


def _holds_either(value: Value, shadows: Shadows) -> bool:
    """Is it a tuple with an element that is an array or a number, as the program runs?"""
    return any(i.kind == "number" and shadows.has(i) or _holds_either(i, shadows) for i in value.items or ())


def _loose(spec: Spec, shadows: Shadows) -> Iterator[str]:
    """The containers of which a function hands an element on without knowing if it is an array or a number."""
    for s in spec.facts.after:
        for node in _handed_on(getattr(s, "value", None), spec):
            value = spec.facts.types.get(node)
            if value is None or value.kind != "number" or not shadows.has(value):
                continue
            base = node.func if isinstance(node, gast.Call) else node
            held = spec.facts.types.get(getattr(base, "value", None))
            if held is not None and held.kind == "tuple":
                yield EVERY
            elif held is not None and held.kind in CONTAINERS and _may_hold_numbers(held, shadows.program):
                yield from shadows.program.roots(held)


def _handed_on(node: Any, spec: Spec) -> Iterator[Any]:
    """The parts of a statement's value that a variable, a container or a function gets as they are."""
    if isinstance(node, (gast.List, gast.Tuple)):
        for element in node.elts:
            yield from _handed_on(element, spec)
    elif isinstance(node, gast.Dict):
        for element in node.values:
            yield from _handed_on(element, spec)
    elif isinstance(node, gast.Call):
        yield node
        base = spec.facts.types.get(getattr(node.func, "value", None))
        holds = isinstance(spec.facts.resolved.get(node), type)  # dict(p=xs[0]), Pair(xs[0], xs[1])
        if holds or node in spec.facts.calls or base is not None and base.kind in CONTAINERS:
            for argument in [*node.args, *(k.value for k in node.keywords)]:
                yield from _handed_on(argument, spec)
    elif isinstance(node, (gast.Subscript, gast.Attribute)):
        yield node


def _may_hold_numbers(value: Value, program: Program) -> bool:
    cells = program.cells(value)
    known = [v for c in cells for v in [*(c.items or ()), *c.fields.values()]]
    whole = [c.content for c in cells if c.items is None and c.content is not None and not c.fields]
    return any(v.kind in (*SCALARS, "number") for v in [*known, *whole])


def _asked_for_keys(node: gast.AST) -> list[gast.AST]:
    """What may be a dict whose keys the result of a node hangs on: k in d, len(d), d.get(k), for k in d."""
    if isinstance(node, gast.Compare):
        return list(node.comparators)
    if isinstance(node, gast.Call):
        base = [node.func.value] if isinstance(node.func, gast.Attribute) else []
        return [*base, *node.args, *(k.value for k in node.keywords)]
    if isinstance(node, (gast.For, gast.comprehension)):
        return [node.iter]
    if isinstance(node, gast.Dict):
        return [v for k, v in zip(node.keys, node.values) if k is None]
    return [node.value] if isinstance(node, gast.Starred) else []
