"""Lines, names and scopes: what every part of the generator writes with."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from .kinds import FLOAT, NAMES, TRICKY, Array, Dict, Frame, Helper, List, Object, Tuple, Variable

Row = tuple[Callable, float, int]  # what writes a statement, its weight, the fewest that must be left for it


class Writer:
    """Writes one program: `lines` is its text, `scope` what may be read at this point."""

    def __init__(self, seed: int, statements: Sequence[Row] = ()) -> None:
        self.rng = random.Random(seed)
        self.statements = statements
        self.lines: list[str] = []
        self.scope: list[Variable] = []
        self.used: set[str] = set()
        self.helpers: list[Helper] = []
        self.frame = Frame(FLOAT)

    # --- Small choices

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, options):
        return self.rng.choice(list(options))

    def number(self) -> str:
        return f"{self.rng.uniform(-1.2, 1.3):.3f}"

    # --- Lines

    def write(self, text: str) -> None:
        for line in text.split("\n"):
            self.lines.append("    " * self.frame.depth + line)

    @contextmanager
    def block(self, loop: bool = False) -> Iterator[None]:
        """An indented block: what is bound first in it is unknown after it, lists keep their length."""
        before = list(self.scope)
        types = [v.type for v in before]
        lists = [t for t in types if isinstance(t, List)]
        kept = [(t.least, t.floor) for t in lists]
        for t in lists:
            t.floor = t.least
        self.frame.depth += 1
        self.frame.loops += loop
        start = len(self.lines)
        helpers = list(self.helpers)
        yield
        if len(self.lines) == start:
            self.write("pass")
        self.frame.depth -= 1
        self.frame.loops -= loop
        self.helpers[:] = helpers
        for t, (least, floor) in zip(lists, kept):
            t.least, t.floor = least, floor
        self.scope[:] = before
        for variable, type in zip(before, types):
            variable.type = type

    def body(self, count: int) -> None:
        """`count` statements."""
        while count > 0:
            used = self.pick_statement(count)(self, count)
            count -= max(1, used or 1)

    def pick_statement(self, count: int) -> Callable:
        nested = self.frame.depth < 5
        table = [(s, w) for s, w, least in self.statements if count >= least and (nested or least < 3)]
        return self.rng.choices([s for s, _ in table], [w for _, w in table])[0]

    # --- Names and places

    def fresh(self) -> str:
        pool = TRICKY if self.chance(0.04) else NAMES
        name = self.pick(pool)
        while name in self.used:
            name = self.pick(pool) + str(self.rng.randrange(100))
        self.used.add(name)
        return name

    def bind(self, name: str, type: object) -> Variable:
        """`name` now has `type`: a new variable, or the old one rebound."""
        for variable in self.scope:
            if variable.name == name:
                variable.type = type
                return variable
        variable = Variable(name, type)
        if variable.named:
            self.scope.append(variable)
        return variable

    def new(self, type: object, text: str) -> Variable:
        """Write `name = text` with a new name."""
        variable = self.bind(self.fresh(), type)
        self.write(f"{variable.name} = {text}")
        return variable

    def variables(self, kind, keep: Callable[[Variable], bool] = lambda variable: True) -> list[Variable]:
        """Names of a kind, and places of that kind in containers: no more than would crowd out the names."""
        names = [v for v in self.scope if isinstance(v.type, kind) and keep(v)]
        inside = (place for v in self.scope for place in self.inside(v, 2))
        places = [v for v in inside if isinstance(v.type, kind) and keep(v)]
        return names + self.rng.sample(places, min(len(places), 1 + len(names) // 2))

    def arrays(self, keep: Callable[[Variable], bool] = lambda variable: True) -> list[Variable]:
        return self.variables(Array, lambda v: v.type.kind == "float" and keep(v))

    def reachable(self) -> Iterator[Variable]:
        for variable in self.scope:
            yield variable
            yield from self.inside(variable, 2)

    def inside(self, variable: Variable, depth: int) -> Iterator[Variable]:
        """Places in a container, and in what it holds."""
        if not depth:
            return
        for text, type, rebind in self.places(variable):
            if isinstance(type, List):
                grows = self.frame.main and not self.frame.loops
                type = dataclasses.replace(type, floor=type.least, locked=type.locked or not grows)
            place = Variable(text, type, rebind, pinned=True)
            yield place
            yield from self.inside(place, depth - 1)

    def places(self, variable: Variable) -> Iterator[tuple[str, object, bool]]:
        name = variable.name
        match variable.type:
            case List(item, least) if least:
                yield f"{name}[{self.rng.randint(-least, least - 1)}]", item, True
            case Dict(items):
                for key, type in items.items():
                    yield f"{name}[{key!r}]", type, True
            case Tuple(items):
                for i, type in enumerate(items):
                    yield f"{name}[{i}]", type, False
            case Object():
                yield f"{name}.x", FLOAT, True
                yield f"{name}.w", Array((3,)), True
            case Array(shape, "complex"):
                yield f"{name}.{self.pick(('real', 'imag'))}", Array(shape), self.chance(0.2)
