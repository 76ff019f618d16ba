"""Which variables have shadows: adjoints that are made with the object and written in place.

Everything mutable that is active and written, or held by a container, has one; so aliases agree by
construction. Other active variables have value adjoints.
"""

from dataclasses import dataclass

from pullback.compiler.analysis.program import Program
from pullback.compiler.analysis.values import CONTAINERS, Value


@dataclass(frozen=True)
class Shadows:
    """The classes of array memory that have a shadow."""

    program: Program
    roots: frozenset[str]

    def has(self, value: Value) -> bool:
        """Is the adjoint of such a value a shadow?"""
        if value.kind in CONTAINERS:
            return self.program.is_varied(value)
        return value.kind in ("array", "number") and value.smooth and bool(self.program.roots(value) & self.roots)

    def has_value_adjoint(self, value: Value) -> bool:
        """Is its adjoint an ordinary value?"""
        return self.program.is_varied(value) and not self.has(value)


def find_shadows(program: Program) -> Shadows:
    """The memory classes with a member that is active and one that is written or stored."""
    varied: set[str] = set()
    exposed: set[str] = set()
    for site, cell in program.heap.items():
        root = program.root(site)
        if cell.kind == "array" and cell.varied:
            varied.add(root)
        if cell.kind == "array" and (cell.written or cell.stored):
            exposed.add(root)
    return Shadows(program, frozenset(varied & exposed))
