"""What each simple statement does in both sweeps, before anything is recorded or laid out."""

from dataclasses import dataclass, field
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Contributions
from pullback.compiler.ir.template import name


@dataclass(eq=False)
class Save:
    """Overwritten content that the reverse sweep may have to bring back."""

    roots: frozenset[str]  # memory classes
    value: gast.expr  # what to keep, before the statement
    restore: gast.stmt  # puts `kept` back
    base: str  # the variable it is named after


@dataclass(eq=False)
class Step:
    """One simple statement: its part of the forward sweep, and what its adjoint is made of.

    The reverse part runs in this order: `take`, restored values, contributions, `finish`; where the
    contributions read the new value of the target, the restored values come last.
    """

    statement: gast.stmt
    forward: list[gast.stmt]
    contributions: Contributions = field(default_factory=Contributions)
    target: str | None = None  # variable with a value adjoint that this statement defines
    targets: tuple[str, ...] = ()  # every such variable, of a call with several results
    take: list[gast.stmt] = field(default_factory=list)
    finish: list[gast.stmt] = field(default_factory=list)
    defines: set[str] = field(default_factory=set)
    saves: list[Save] = field(default_factory=list)
    reads_new: set[str] = field(default_factory=set)  # names whose value after the statement is read
    reads_both: set[str] = field(default_factory=set)  # shadows read before and after they are replaced
    shadow_reads: set[str] = field(default_factory=set)  # shadows that the contributions are added into
    undo: dict[str, list[gast.stmt]] = field(default_factory=dict)  # by memory class: how to undo a change
    prefix: list[gast.stmt] = field(default_factory=list)  # runs before anything is kept
    values: dict[str, Any] = field(default_factory=dict)  # types of variables that only the step knows
    swap: bool = False
    split_targets: list[tuple[str, int]] = field(default_factory=list)  # names a result is taken apart into
    seeds: dict[str, bool] = field(default_factory=dict)  # of the return: variables whose adjoint is the seed itself
    callee: Any = None  # the specialised function that the statement calls
    always: bool = False  # the reverse part has effects through shadows


def kept() -> gast.Name:
    """The placeholder for a saved value in a restoring statement."""
    return name("kept__")
