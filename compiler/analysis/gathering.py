"""Arrays that are handed whole, again and again, to functions that read single entries of them.

    def flux(u, i): return u[i] * u[i + 1]
    for i in range(n - 1): total += flux(u, i)

The reverse of each call would make an adjoint as large as the array, for the few entries it has something for. Such an
array has a shadow instead, to which every call adds in place.
"""

from collections.abc import Iterator

import gast

from pullback.compiler.analysis.program import CallFact, Program, Spec
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.walk import assigned, every_node, own_nodes

Parameter = tuple[Spec, str]


def gathered(program: Program) -> set[str]:
    """The memory classes of these arrays."""
    found: set[str] = set()
    picked = _picked(program)
    for spec in program.specs.values():
        for repeated, bound in _repeated(spec):
            for fact in (spec.facts.calls[n] for n in every_node(repeated) if n in spec.facts.calls):
                for parameter, variable in _handed(fact):
                    if variable not in bound and (fact.callee, parameter) in picked:
                        found |= program.roots(fact.callee.parameters[parameter])
    return found


def _repeated(spec: Spec) -> Iterator[tuple[gast.AST, set[str]]]:
    """Loops, with what they bind; and a function that calls itself."""
    for s in (n for top in spec.body for n in own_nodes(top) if isinstance(n, (gast.For, gast.While))):
        yield s, assigned(s)
    for s in spec.body:
        again = [n for n in every_node(s) if n in spec.facts.calls and spec.facts.calls[n].callee is spec]
        yield from ((n, set().union(*map(assigned, spec.body))) for n in again)


def _handed(fact: CallFact) -> Iterator[tuple[str, str]]:
    """The parameters that are given a variable as it is, captured ones too."""
    for parameter, argument in fact.arguments.items():
        if isinstance(argument, gast.Name):
            yield parameter, argument.id
    for variable in fact.callee.code.captured:
        yield variable, variable


def _picked(program: Program) -> set[Parameter]:
    """The parameters of which a function, or one that it hands them to, reads single entries."""
    found = {(spec, p) for spec in program.specs.values() for p in _indexed(spec) if _is_array(spec.parameters[p], program)}
    while True:
        more = {
            (spec, variable)
            for spec in program.specs.values()
            for fact in spec.facts.calls.values()
            for parameter, variable in _handed(fact)
            if (fact.callee, parameter) in found and _is_array(spec.parameters.get(variable), program)
        }
        if more <= found:
            return found
        found |= more


def _indexed(spec: Spec) -> set[str]:
    reads = (n for s in spec.body for n in every_node(s) if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name))
    return {n.value.id for n in reads if n.value.id in spec.parameters}


def _is_array(value: Value | None, program: Program) -> bool:
    return value is not None and value.kind == "array" and bool(value.rank) and program.is_varied(value)
