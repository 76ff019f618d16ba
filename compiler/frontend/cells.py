"""Variables of a closure that exists already, where the function differentiated binds them anew.

    def loss(q):               def loss(q):
        nonlocal n         →       n = n_before
        n += 1                     n += 1

A derivative leaves the closure as it found it: the variable becomes a local one, which begins with what its
cell holds at the call.
"""

import types
from collections.abc import Iterable
from typing import Any

import gast

from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import assign, name
from pullback.compiler.ir.walk import rebound_by, rewrite_blocks


def cells_of(function: Any) -> dict[str, types.CellType]:
    """The cells of a function object, by name."""
    return dict(zip(function.__code__.co_freevars, function.__closure__ or ())) if hasattr(function, "__closure__") else {}


def rebound_cells(tree: gast.FunctionDef, function: Any) -> dict[str, types.CellType]:
    """The cells of a function object that running it binds anew."""
    cells = cells_of(function)
    return {n: cells[n] for n in sorted(rebound_by(tree) & cells.keys())}


def own_variables(tree: gast.FunctionDef, cells: dict[str, types.CellType], names: Names) -> dict[str, str]:
    """Make cells local variables, in place; returns the cells' names by those of their values before the call."""
    tree.body = rewrite_blocks(tree.body, lambda body: [gast.Pass() if isinstance(s, gast.Nonlocal) else s for s in body])
    before = {names.fresh(f"{n}_before"): n for n, cell in cells.items() if cell != types.CellType()}
    for new, own in before.items():
        first = gast.copy_location(assign(own, name(new)), tree)
        tree.body.insert(0, gast.fix_missing_locations(first))
    return before


def shared_cell(function: Any, rebound: dict[str, types.CellType], codes: Iterable[Any]) -> str:
    """A variable that a function object shares with others of a program, where one of them binds it anew; else ""."""
    used = cells_of(function)
    for code in codes:
        for mine, theirs in ((used, code.rebinds), (rebound, cells_of(code.function))):
            for n, cell in mine.items():
                if code.function is not function and any(cell is other for other in theirs.values()):
                    return n
    return ""
