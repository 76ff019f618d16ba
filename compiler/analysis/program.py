"""What is analysed: the functions of a program, each once per signature, and the memory they share."""

import collections
import logging
import types
from dataclasses import dataclass, field
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.draws import GENERATORS
from pullback.compiler.analysis.values import (
    NONE,
    OPAQUE,
    Cell,
    Dim,
    Known,
    Linear,
    Site,
    Value,
    is_text,
    join,
    parts_of,
    placed_beside,
    settled_lengths,
)
from pullback.compiler.errors import Diagnostic
from pullback.compiler.frontend.code import Code as Code
from pullback.compiler.frontend.code import is_library
from pullback.compiler.ir.template import clone
from pullback.runtime.shadows import fields, has_fields

Env = dict[str, Value]


# containers whose content is not followed, but may be changed
HOLDING = (set, bytearray, collections.deque, collections.defaultdict, collections.Counter)


@dataclass(eq=False)
class CallFact:
    """How a call of a user function goes: the specialised callee and the argument of each parameter."""

    callee: "Spec"
    arguments: dict[str, gast.expr | None]  # by parameter; None: its default, or packed from `packed`
    packed: dict[str, list[Any]] = field(default_factory=dict)
    direct: bool = True  # captured variables are visible by name at the call
    bound: gast.expr | None = None  # the object a method is called on


@dataclass(eq=False)
class Managed:
    """A context manager in calls: `held = made; v = enter; ...; leave`."""

    held: str
    made: gast.expr
    enter: gast.expr
    leave: gast.Call
    failing: tuple[str, list[Any]] | None  # what runs instead of `leave` after an exception, and its name there
    always: bool  # does something run after an exception?


@dataclass(eq=False)
class Facts:
    """Everything inference found out about one specialised function."""

    types: dict[gast.AST, Value] = field(default_factory=dict)
    before: dict[gast.stmt, Env] = field(default_factory=dict)
    after: dict[gast.stmt, Env] = field(default_factory=dict)
    calls: dict[gast.AST, CallFact] = field(default_factory=dict)
    resolved: dict[gast.AST, Any] = field(default_factory=dict)  # call → the function object it calls
    rebinds: dict[gast.stmt, bool] = field(default_factory=dict)  # x += y: a new object for x alone?
    writes: dict[gast.AST, frozenset[Site]] = field(default_factory=dict)  # memory a statement changes
    meanings: dict[gast.AST, Any] = field(default_factory=dict)  # what a construct means in simpler Python
    managed: dict[Any, Managed] = field(default_factory=dict)  # of an item of `with`
    stepping: dict[gast.AST, Any] = field(default_factory=dict)  # of what is gone through step by step: (start, test, item)
    decided: dict[gast.AST, bool | None] = field(default_factory=dict)  # of an if, or a conditional expression: how its test comes out

    def clear(self) -> None:
        """Forget everything but which objects are new, as no later round may take that back."""
        for key, found in vars(self).items():
            if key != "rebinds":
                found.clear()


@dataclass(eq=False)
class Spec:
    """A function specialised to a signature."""

    code: Code
    index: int
    body: list[gast.stmt]
    parameters: dict[str, Value]
    result: Value | None = None
    outputs: dict[str, Value] = field(default_factory=dict)  # nonlocals after the call
    facts: Facts = field(default_factory=Facts)
    written: set[str] = field(default_factory=set)
    either: dict[str, Value] = field(default_factory=dict)  # variables that hold a number on one path and an array on another
    callers: "set[Spec]" = field(default_factory=set)  # that do not hold its definition
    numbers: dict[Any, int] = field(default_factory=dict)  # of the places that allocate memory, the same in every round

    @property
    def name(self) -> str:
        return self.code.name


class Rebound(Exception):
    """A variable is bound anew while a function that captured its value may still be called."""

    def __init__(self, code: Code, variable: str) -> None:
        super().__init__(variable)
        self.code = code
        self.variable = variable


class Interleaved(Exception):
    """What happens between two items of generators makes a difference to what happens in them."""

    def __init__(self, codes: set[Code]) -> None:
        super().__init__(*codes)
        self.codes = codes


class ActiveSet(Exception):
    """A set that held nothing active so far is given an active value."""

    def __init__(self, places: set[tuple[Any, ...]]) -> None:
        super().__init__(*places)
        self.places = places


class Program:
    """All specialised functions reached from one, and the memory cells they allocate."""

    def __init__(
        self,
        frames: frozenset[tuple[Any, ...]] = frozenset(),
        stepped: frozenset[tuple[Any, ...]] = frozenset(),
        active_sets: frozenset[tuple[Any, ...]] = frozenset(),
    ) -> None:
        self.frames = frames  # variables that functions share, by their place in the text
        self.stepped = stepped  # generator functions that run from one item to the next, by theirs
        self.active_sets = active_sets  # sets that lists stand for, by the place where they are made
        self.set_places: dict[Site, tuple[Any, ...]] = {}  # where the other sets are made
        self.specs: dict[Any, Spec] = {}
        self.heap: dict[Site, Cell] = {}
        self.classes: dict[Site, Site] = {}  # union-find: sites one variable may point to
        self.nested: dict[Any, Code] = {}  # by their node, or function object
        self.held: set[tuple[Code, str]] = set()  # variables whose values functions hold, by owner
        self.static: dict[Any, Code] = {}  # functions defined inside others, by (enclosing code, name)
        self.bodies: dict[Any, list[gast.stmt]] = {}
        self.forms: dict[Any, set[str]] = {}  # which rewritings a function has been through, by its key
        self.meanings: dict[Any, Any] = {}  # constructs written in simpler Python, by node and form
        self.meant_problems: dict[Any, dict[Any, Diagnostic]] = {}  # what was refused as they were written so
        self.managed: dict[gast.AST, Managed] = {}  # context managers written in calls
        self.derivatives: dict[Any, Any] = {}  # of functions of the program, by function and types; or their refusals
        self.pulls: dict[Any, Any] = {}  # functions that stand for the second half of a vjp: what it is asked for
        self.forwarding: dict[Any, Any] = {}  # functions that call derivatives made outside, whose text can be read
        self.fixed: dict[tuple[int, str], tuple[Code, str, Any]] = {}  # globals that these were compiled with
        self.globals_read: dict[tuple[int, str], tuple[Code, str, Any]] = {}
        self.problems: dict[tuple[str, int, int, str], Diagnostic] = {}
        self.running: list[Code] = []  # functions whose first interpretation is under way, each called by the one before
        self.active_exceptions = False  # is an exception made of an active value somewhere,
        self.telling_exceptions = False  # or of a text of one?
        self.texts_kept = False  # was a text of one written to a file, say, which may be read again?
        self.late_raises: dict[Spec, Any] = {}  # the exceptions that functions may raise after a change, by class
        self.around: dict[int, Value] = {}  # of containers and objects whose parts are being looked at, by identity
        self.version = 0

    def again(self) -> "Program":
        """A program to infer anew over the present bodies of all functions."""
        new = Program(self.frames, self.stepped, self.active_sets)
        new.nested, new.meanings = self.nested, self.meanings  # what stays in the text keeps its names
        new.meant_problems = self.meant_problems
        new.derivatives, new.forwarding, new.fixed, new.pulls = self.derivatives, self.forwarding, self.fixed, self.pulls
        new.bodies = {**self.bodies, **{key: spec.body for key, spec in self.specs.items()}}
        new.forms = self.forms
        return new

    def with_frame(self, entry: Code, rebound: Rebound) -> "Program":
        """A program to infer from the start, in which functions share one variable more."""
        place = (*place_of(rebound.code), rebound.variable)
        assert place not in self.frames
        if rebound.code is entry:
            entry.share({rebound.variable})
        return Program(self.frames | {place}, self.stepped, self.active_sets)

    def with_steps(self, found: Interleaved) -> "Program":
        """A program to infer from the start, in which more generators run from one item to the next."""
        places = {place_of(c) for c in found.codes}
        assert not places <= self.stepped
        return Program(self.frames, self.stepped | places, self.active_sets)

    def with_sets(self, found: ActiveSet) -> "Program":
        """A program to infer from the start, in which lists stand for more sets."""
        assert not found.places <= self.active_sets
        return Program(self.frames, self.stepped, self.active_sets | found.places)

    def shared(self, code: Code) -> Code:
        """A function with the variables that others share with it in a frame."""
        variables = {frame[-1] for frame in self.frames if frame[:-1] == place_of(code)}
        if variables:
            code.share(variables)
        return code

    def body_of(self, key: Any, code: Code) -> list[gast.stmt]:
        """The statements of a specialised function: a copy of its own, or what rewriting made of it."""
        if key not in self.bodies:
            self.bodies[key] = clone(code.tree.body)
        return self.bodies[key]

    # -- memory -------------------------------------------------------------------------------

    def cell(self, site: Site, kind: str, **options: Any) -> Cell:
        """The cell of a site, made at the first call."""
        if site not in self.heap:
            self.heap[site] = Cell(kind, **options)
            self.version += 1
        return self.heap[site]

    def cells(self, value: Value) -> list[Cell]:
        return [self.heap[s] for s in sorted(value.sites) if s in self.heap]

    def mark(self, cell: Cell, flag: str) -> None:
        """Set a flag of a cell for good."""
        if not getattr(cell, flag):
            setattr(cell, flag, True)
            self.version += 1

    def put(self, cell: Cell, value: Value, key: Any = None) -> None:
        """The value may from now on be found in the cell: at a known key, or anywhere."""
        value = placed_beside(settled_lengths(Value(**{**value.__dict__, "unbound": False})), None)
        if key is not None and cell.kind == "list" and cell.items is not None:
            self._set(cell.items, key, value)
        elif key is not None and cell.kind in ("dict", "object"):
            if key not in cell.fields and cell.anywhere is not None:
                self._set(cell.fields, key, cell.anywhere)
            self._set(cell.fields, key, value)
        elif cell.items is not None:
            for i in range(len(cell.items)):
                self._set(cell.items, i, value)
        else:
            for k in list(cell.fields):
                self._set(cell.fields, k, value)
            if cell.kind == "dict":
                self.mark(cell, "loose")
                anywhere = value if cell.anywhere is None else self.joined(cell.anywhere, value)
                if anywhere != cell.anywhere:
                    cell.anywhere = anywhere
                    self.version += 1
        together = join if cell.kind == "object" else self.joined  # the fields of an object are read one by one
        content = value if cell.content is None else together(cell.content, value)
        if content != cell.content:
            cell.content = content
            self.version += 1
        if value.varied:
            self.mark(cell, "varied")
        for inner in (c for part in parts_of(value) for c in self.cells(part)):
            self.mark(inner, "stored")

    def _set(self, where: Any, key: Any, value: Value) -> None:
        old = where.get(key) if isinstance(where, dict) else where[key]
        new = value if old is None else self.joined(old, value)
        if new != old:
            where[key] = new
            self.version += 1

    def grow(self, cell: Cell) -> None:
        """The list no longer has known elements."""
        if cell.items is not None:
            cell.items = None
            self.version += 1

    def joined(self, a: Value, b: Value) -> Value:
        """The join of two values; what one variable may point to becomes one class of memory."""
        value = join(a, b)
        self.unite(value)
        return value

    def unite(self, value: Value) -> None:
        for part in value.items or ():
            self.unite(part)
        sites = sorted(value.sites)
        for site in sites[1:]:
            one, other = self.root(sites[0]), self.root(site)
            if one != other:
                self.classes[max(one, other)] = min(one, other)
                self.version += 1

    def root(self, site: Site) -> Site:
        while site in self.classes:
            site = self.classes[site]
        return site

    def roots(self, value: Value) -> frozenset[Site]:
        return frozenset(self.root(s) for s in value.sites)

    def roots_inside(self, value: Value) -> frozenset[Site]:
        """The memory classes of a value, and of the items of tuples in it."""
        return frozenset(r for part in parts_of(value) for r in self.roots(part))

    def reached(self, value: Value) -> frozenset[Site]:
        """The memory classes that can be got at from a value."""
        return frozenset(self.root(site) for site in self.sites_from(value))

    def sites_from(self, *values: Value) -> set[Site]:
        """The memory that can be got at from values."""
        seen: set[Site] = set()
        waiting = list(values)
        while waiting:
            current = waiting.pop()
            waiting += current.items or ()
            for site in current.sites - seen:
                seen.add(site)
                waiting += self.heap[site].held() if site in self.heap else []
        return seen

    def is_varied(self, value: Value) -> bool:
        """Does the value, or anything in its memory, depend on an active input?"""
        return value.varied or bool(value.items or value.sites) and self._holds_varied(value, set())

    def holds_text(self, value: Value) -> bool:
        """Is it, or may there be in it, a text of active values?"""
        if not value.items and not value.sites:
            return is_text(value) and (value.code == "text" or self.telling_exceptions)
        inside = (held for site in self.sites_from(value) if site in self.heap for held in self.heap[site].held())
        parts = (part for one in (value, *inside) for part in parts_of(one))
        return any(is_text(part) and (part.code == "text" or self.telling_exceptions) for part in parts)

    def cell_varied(self, site: Site, seen: set[Site]) -> bool:
        cell = self.heap.get(site)
        if cell is None or site in seen:
            return False
        if cell.keyed:
            return True
        seen.add(site)
        return cell.varied or any(self._holds_varied(v, seen) for v in cell.held())

    def _holds_varied(self, value: Value, seen: set[Site]) -> bool:
        return (
            value.varied
            or any(self.cell_varied(s, seen) for s in value.sites)
            or any(self._holds_varied(i, seen) for i in value.items or ())
        )

    def carried_by_exception(self, *made_of: Value) -> None:
        """Some exception is made of these values, and may hand them to a handler."""
        before = self.active_exceptions, self.telling_exceptions
        self.active_exceptions |= any(self.is_varied(v) for v in made_of)
        self.telling_exceptions |= self.active_exceptions or any(self.holds_text(v) for v in made_of)
        self.version += before != (self.active_exceptions, self.telling_exceptions)

    # -- problems -----------------------------------------------------------------------------

    def refuse(
        self, code: Code, node: gast.AST | None, kind: str, problem: str, cause: str = "", advice: str = ""
    ) -> None:
        """Note a refusal; all of them are reported together."""
        span = code.span(node)
        key = (span.file, span.line, span.column, kind)
        self.problems.setdefault(key, Diagnostic(kind, problem, span, cause, advice))

    # -- values of real objects -----------------------------------------------------------------

    def value_of(self, thing: Any, site: Site, active: bool = False) -> Value:
        """The abstract value of a real object: an argument, a global, a captured value."""
        if isinstance(thing, (bool, np.bool_)):
            return Value("bool", "" if isinstance(thing, bool) else "bool")
        if isinstance(thing, (int, np.integer)):
            symbol = Linear(f"{site}.value") if isinstance(thing, int) else None
            return Value("int", "" if isinstance(thing, int) else thing.dtype.name, length=symbol)
        if isinstance(thing, (float, np.floating)):
            return Value("float", thing.dtype.name if isinstance(thing, np.floating) else "", varied=active)
        if isinstance(thing, (complex, np.complexfloating)):
            return Value("complex", thing.dtype.name if isinstance(thing, np.complexfloating) else "", varied=active)
        if type(thing) is np.ndarray and thing.dtype.kind in "fciub":
            return self._array(thing, site, active)
        if thing is None:
            return NONE
        if type(thing) in (list, tuple, dict, collections.OrderedDict) or (isinstance(thing, tuple) and hasattr(thing, "_fields")):
            kind = "dict" if isinstance(thing, dict) else "list" if isinstance(thing, list) else "tuple"
            return self._with_parts(thing, Value(kind, sites=frozenset([site])), site, active)
        if isinstance(thing, (str, bytes)):
            return OPAQUE
        if type(thing) in HOLDING:
            self.cell(site, "opaque", from_outside=True)
            return Value("opaque", sites=frozenset([site]))
        if isinstance(thing, slice):
            return Value("opaque", code="slice")
        if type(thing) in GENERATORS:
            return Value("opaque", code=type(thing))
        if isinstance(
            thing,
            (
                types.FunctionType,
                types.BuiltinFunctionType,
                types.ModuleType,
                type,
                np.ufunc,
                types.MethodType,
                types.MethodWrapperType,
                logging.Logger,
                type(np.mgrid),
                type(np.ogrid),
                type(np.r_),
                type(np.c_),
            ),
        ):
            return Value("known", known=Known(thing))
        if isinstance(thing, types.SimpleNamespace) or _is_user_object(thing):
            return self._with_parts(thing, Value("object", sites=frozenset([site]), known=Known(type(thing))), site, active)
        return Value("known", known=Known(thing)) if callable(thing) else OPAQUE

    def _array(self, thing: np.ndarray, site: Site, active: bool) -> Value:
        active = active and thing.dtype.kind in "fc"
        cell = self.cell(site, "array", from_outside=True)
        if active:
            self.mark(cell, "varied")
        dims: tuple[Dim, ...] = tuple(
            1 if n == 1 else Linear(f"{site}.{i}", 0, wide=n > 1) for i, n in enumerate(thing.shape)
        )
        return Value("array", thing.dtype.name, dims, frozenset([site]), active)

    def _with_parts(self, thing: Any, value: Value, site: Site, active: bool) -> Value:
        """A container or object; one that holds itself, directly or through others, is met there again."""
        if id(thing) in self.around:
            return self.around[id(thing)]
        self.around[id(thing)] = value
        made = self._object(thing, value, site, active) if value.kind == "object" else self._container(thing, value, site, active)
        del self.around[id(thing)]
        return made

    def _container(self, thing: Any, value: Value, site: Site, active: bool) -> Value:
        if isinstance(thing, dict):
            cell = self.cell(site, "dict", from_outside=True)
            for key, item in thing.items():
                self.put(cell, self.value_of(item, f"{site}[{key!r}]", active), key)
            return value
        items = [self.value_of(item, f"{site}[{i}]", active) for i, item in enumerate(thing)]
        if isinstance(thing, tuple):
            for inner in (c for item in items for part in parts_of(item) for c in self.cells(part)):
                self.mark(inner, "stored")
            return Value(
                "tuple",
                items=tuple(items),
                known=None if type(thing) is tuple else None,
                code=None if type(thing) is tuple else type(thing),
            )
        if len(items) > 32 or site.startswith("global "):  # a long list, or one that others may make longer
            cell = self.cell(site, "list", from_outside=True)
            items = [self.value_of(item, f"{site}[*]", active) for item in thing]
            for item in items:
                self.put(cell, item)
            return value
        return self.list_from_outside(site, items)

    def list_from_outside(self, site: Site, items: list[Value]) -> Value:
        """A list that the program is given, of which every element is known."""
        cell = self.cell(site, "list", from_outside=True)
        if cell.items is None and cell.content is None:
            cell.items = list(items)
        for i, item in enumerate(items):
            self.put(cell, item, i)
        return Value("list", sites=frozenset([site]))

    def _object(self, thing: Any, value: Value, site: Site, active: bool) -> Value:
        cell = self.cell(site, "object", from_outside=True, cls=type(thing))
        for key, item in fields(thing).items():
            self.put(cell, self.value_of(item, f"{site}.{key}", active), key)
        return value


def place_of(code: Code) -> tuple[Any, ...]:
    """Which function of the program's text it is."""
    return (code.file, code.tree.lineno, code.tree.col_offset, code.name)


def _is_user_object(thing: Any) -> bool:
    if not has_fields(thing):
        return False
    called = type(thing).__call__ if callable(thing) else None  # type: ignore[operator]
    return called is None or isinstance(called, types.FunctionType) and not is_library(called)
