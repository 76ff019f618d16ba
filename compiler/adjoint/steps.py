"""What each simple statement does in both sweeps, before anything is recorded or laid out."""

from dataclasses import dataclass, field
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Contributions
from pullback.compiler.analysis.program import Spec
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.template import name


@dataclass(eq=False)
class Save:
    """Overwritten content that the reverse sweep may have to bring back."""

    roots: frozenset[str]  # memory classes
    value: gast.expr  # what to keep, before the statement
    restore: gast.stmt  # puts `kept` back
    base: str  # the variable it is named after
    through: frozenset[str] = frozenset()  # memory classes of the containers that lead to it


@dataclass(eq=False)
class CallParts:
    """What a call of a user function needs beyond an ordinary statement."""

    callee: Spec
    results: list[tuple[str, Value]] = field(default_factory=list)  # the variables the results go to, and their types
    wanted: list[str] = field(default_factory=list)  # variables whose adjoint the reverse takes, zero if there is none
    displays: list[tuple[gast.expr, str]] = field(default_factory=list)  # arguments written out, and their shadows
    before: list[gast.stmt] = field(default_factory=list)  # makes those shadows
    gathered: tuple[str, str] | None = None  # (variable, shadow) of a tuple that holds all results
    taken_apart: tuple[str, list[str]] | None = None  # a tuple result, and the variables it goes to
    parts: list[tuple[str, int]] = field(default_factory=list)  # of those: (variable, position) with an adjoint


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
    bars: list[tuple[str, str]] = field(default_factory=list)  # of a swap: (shadow of the target, of the source)
    undo_reads: set[str] = field(default_factory=set)  # variables that undoing a change reads
    undo_through: frozenset[str] = frozenset()  # memory classes of the containers that lead to what is undone
    call: "CallParts | None" = None  # of a call of a user function
    seeds: dict[str, bool] = field(default_factory=dict)  # of the return: variables whose adjoint is the seed itself
    always: bool = False  # the reverse part has effects through shadows


def kept() -> gast.Name:
    """The placeholder for a saved value in a restoring statement."""
    return name("kept__")


class Later(gast.stmt):
    """Statements of `take` that have to wait for the restored values."""

    _fields = ("body",)

    def __init__(self, body: list[gast.stmt]) -> None:
        self.body = body
