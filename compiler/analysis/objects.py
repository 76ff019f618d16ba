"""What all parts of the interpreter share: facts, refusals, memory, the elements of containers, and meanings."""

import enum
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import BOTTOM, INT, OPAQUE, TEXT, Cell, Value, entry_kind, is_text
from pullback.compiler.errors import DerivativeError
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import name
from pullback.compiler.ir.walk import every_node, reads

if TYPE_CHECKING:
    from pullback.compiler.analysis.infer import Interpreter


class Part:
    """One part of the interpreter: what all of them know and need; `interpreter` is the way to the others."""

    def __init__(self, interpreter: "Interpreter") -> None:
        self.interpreter = interpreter
        self.program = interpreter.program
        self.spec = interpreter.spec
        self.code = interpreter.spec.code
        self.facts = interpreter.spec.facts

    def value(self, node: gast.expr, env: Env) -> Value:
        """The abstract value of an expression."""
        return self.interpreter.value(node, env)

    def varied(self, value: Value) -> bool:
        """Does the value depend on an active input?"""
        return self.program.is_varied(value)

    def refuse(self, node: Any, kind: str, problem: str, cause: str = "", advice: str = "") -> None:
        if getattr(node, "lineno", None) is None:
            node = self.interpreter.statement
        self.program.refuse(self.code, node, kind, problem, cause, advice)

    def note(self, error: Exception) -> None:
        """Keep the refusals of another function's source."""
        if isinstance(error, DerivativeError):
            for d in error.diagnostics:
                place = (d.span.file, d.span.line, d.span.column, d.code) if d.span else ("", 0, 0, d.problem)
                self.program.problems.setdefault(place, d)

    def unsettled(self, node: Any, what: str) -> Value:
        """Refuse something whose type cannot be followed."""
        self.refuse(
            node,
            "unsettled",
            f"cannot follow {what}",
            "Its elements' types cannot be settled before the program runs.",
            "use a list or an array built by a loop",
        )
        return OPAQUE

    def site(self, node: gast.AST, kind: str) -> str:
        """The memory allocated at a place of this function's text."""
        site = self.site_name(node, kind)
        self.program.cell(site, kind)
        return site

    def site_name(self, node: gast.AST, kind: str) -> str:
        origin = getattr(node, "origin", node)
        number = self.spec.numbers.setdefault(origin, len(self.spec.numbers))
        return f"{self.spec.index}:{number}:{kind}"

    def made_active(self, node: gast.AST, kind: str) -> bool:
        """Was the container made at this place ever given an active value?"""
        site = self.site_name(node, kind)
        return site in self.program.heap and self.program.cell_varied(site, set())

    def unknown(self, node: gast.AST, *sources: Value) -> Value:
        """The inert result of a call that is not followed: memory of its own, or some that was passed."""
        given = [*sources, *(v.code for v in sources if isinstance(v.code, Value))]  # what an iterator yields
        passed = [self.program.reached(v) for v in given if not self.varied(v)]
        made = TEXT if any(self.program.holds_text(v) for v in sources) else OPAQUE
        return replace(made, sites=frozenset([self.site(node, "opaque")]).union(*passed))

    def changes(self, at: gast.AST, base: Value) -> None:
        """A statement changes the memory of a value."""
        self.changes_sites(at, set(base.sites))

    def changes_sites(self, at: gast.AST, sites: set[str]) -> None:
        old = self.facts.writes.get(at, frozenset())
        self.facts.writes[at] = old | frozenset(sites)
        for cell in (self.program.heap[s] for s in sites if s in self.program.heap):
            if cell.kind == "dict":
                self.program.mark(cell, "loose")
        if not sites <= self.spec.written:
            self.spec.written |= sites
            self.program.version += 1

    def keyed(self, base: Value, key: Value) -> None:
        """A value becomes a key of a dict."""
        if self.varied(key):
            for cell in self.program.cells(base):
                self.program.mark(cell, "keyed")

    def settled_keys(self, value: Value) -> tuple[Any, ...] | None:
        """The keys of a dict that has just these, whichever way it was made; else None."""
        cells = self.program.cells(value) if value.kind == "dict" else []
        keys = {tuple(c.fields) for c in cells}
        return next(iter(keys)) if len(keys) == 1 and not any(c.loose for c in cells) else None

    def absorb(self, cell: Cell, other: Cell) -> None:
        """A dict gets all that another holds."""
        for flag in ("keyed", "loose"):
            if getattr(other, flag):
                self.program.mark(cell, flag)
        for key, value in list(other.fields.items()):
            self.program.put(cell, value, key)
        if other.anywhere is not None:
            self.program.put(cell, other.anywhere)

    def key_of(self, base: Value, at: Any) -> Value:
        """Any key of a dict, as a value again."""
        if any(c.keyed for c in self.program.cells(base)):
            place = at if isinstance(at, gast.AST) else self.interpreter.statement
            self.refuse(
                place,
                "keys",
                "cannot take active keys out of a dict",
                "What a dict is asked for by has no adjoint that could be brought back.",
                "keep the values in a list beside the dict",
            )
            return replace(OPAQUE, varied=True)
        return OPAQUE

    def reached_from(self, parts: list[Any], env: Env) -> set[str]:
        """The memory that the variables in parts of the text, and those that functions named there capture, lead to."""
        names = set().union(*(reads(part) for part in parts))
        return self.program.sites_from(*(env[n] for n in names | self.code.needed(names)[0] if n in env))

    def lost(self, *values: Value) -> Value:
        """A result that is not followed: if an active value went in, it may still be there."""
        if any(v.kind == "bottom" for v in values):
            return BOTTOM
        if any(self.varied(v) for v in values):
            return replace(OPAQUE, varied=True)
        if any(self.program.holds_text(v) for v in values):
            return TEXT
        return replace(OPAQUE, sites=frozenset().union(*(v.sites for v in values)))

    # -- elements --------------------------------------------------------------------------------

    def known_items(self, value: Value) -> Any:
        """The elements, where each is known apart; else None."""
        if value.items is not None:
            return value.items
        cells = self.program.cells(value)
        if value.kind == "list" and cells and all(c.items is not None for c in cells):
            lists = [c.items or [] for c in cells]  # of one path and of another
            if len({len(items) for items in lists}) == 1:
                return [self.joined(items) for items in zip(*lists)]
        if value.kind == "array" and value.dims and isinstance(value.dims[0], int) and value.dims[0] < 32:
            return [self.row(value)] * value.dims[0]
        return None

    def row(self, value: Value) -> Value:
        """An element of an array, as iteration gives it."""
        if value.kind == "array" and value.dims is not None and len(value.dims) == 1:
            kind = entry_kind(value.dtype)
            return Value(kind, value.dtype, varied=self.varied(value) and kind in ("float", "complex"))
        if value.kind == "array" and value.dims:
            return replace(value, dims=value.dims[1:], varied=self.varied(value))
        return Value("number", value.dtype, sites=value.sites, varied=self.varied(value))

    def element(self, value: Value, at: Any) -> Value:
        """Any element of an iterable."""
        if value.kind in ("array", "number"):
            return self.row(value)
        if value.kind in ("bottom", "none"):  # of None, another path is taken
            return BOTTOM
        if is_enum(value):
            return self.member(value.known.value, None)  # type: ignore[union-attr]
        if value.kind == "opaque" and isinstance(value.code, Value):
            return value.code
        if value.kind == "object" and self.varied(value):
            place = at if isinstance(at, gast.AST) else self.interpreter.statement
            return self.unsettled(place, "a loop through an object")
        if value.kind == "opaque" and value.varied:
            return replace(OPAQUE, varied=True)
        if is_text(value):
            return TEXT
        if value.kind == "opaque" and value.code == "range":
            return INT
        items = value.items
        if value.kind == "tuple" and items is not None:
            return self.joined(items)
        if value.kind == "dict":
            return self.key_of(value, at)
        cells = self.program.cells(value)
        if value.kind == "opaque":  # of what it was made, another object, its items need not be those
            cells = [c for c in cells if c.kind == "opaque"]
        contents = [c.content for c in cells if c.content is not None]
        if not contents and value.kind == "list":
            return BOTTOM  # nothing was put there yet
        found = self.joined(contents) if contents else replace(OPAQUE, sites=value.sites)
        self.program.unite(found)
        return found

    def member(self, cls: Any, which: Value | None) -> Value:
        """Kind["SQUARE"], Kind(2), or any member of an enum."""
        members = list(cls)
        if which is not None and which.known is not None:
            members = [m for m in members if which.known.value in (m.name, m.value)] or members
        return self.joined([self.program.value_of(m, f"global {cls.__name__}.{m.name}") for m in members])

    def joined(self, values: Any) -> Value:
        result = None
        for value in values:
            result = value if result is None else self.program.joined(result, value)
        return result if result is not None else OPAQUE

    def new_list(self, node: gast.AST, items: list[Value], known: bool = True) -> Value:
        """A list made at a place of the text."""
        site = self.site(node, "list")
        cell = self.program.heap[site]
        if known and not cell.changed_at and cell.content is None:
            cell.items = list(items)
            cell.changed_at.append(len(items))
        elif not known or cell.changed_at[:1] != [len(items)]:
            self.program.grow(cell)
        for i, item in enumerate(items):
            self.program.put(cell, item, i if cell.items is not None else None)
        return Value("list", sites=frozenset([site]))

    def count(self, value: Value) -> int | None:
        """How many elements a container has, where each is known apart."""
        items = self.known_items(value)
        return None if items is None else len(items)

    def arguments(self, node: gast.Call, env: Env) -> tuple[list[Value], dict[str, Value]]:
        """Values of the arguments as written; a starred one stands for its known elements."""
        positional: list[Value] = []
        for argument in node.args:
            value = self.value(argument, env)
            if isinstance(argument, gast.Starred):
                items = self.known_items(value)
                positional += list(items) if items is not None else [self.element(value, argument)]
            else:
                positional.append(value)
        keywords = {k.arg or "**": self.value(k.value, env) for k in node.keywords}
        return positional, keywords

    # -- what constructs mean in simpler Python -------------------------------------------------

    def meant(self, node: gast.AST, build: Callable[[], gast.expr], env: Env, *form: Any) -> Value:
        """The value of a node by what it means; the same tree each time, as facts are kept by node.

        `form`: what the tree hangs on, such as a length that an early round takes for known and a later one does not.
        """
        meanings, problems = self.program.meanings, self.program.problems
        key = (node, form)
        if key not in meanings:
            known = dict(problems)
            problems.clear()
            meanings[key] = self.placed(build(), node)
            self.program.meant_problems[key] = dict(problems)
            problems |= known
        for place, problem in self.program.meant_problems.get(key, {}).items():
            problems.setdefault(place, problem)
        self.facts.meanings[node] = meanings[key]
        return self.value(meanings[key], env)

    def calling(self, node: Any, function: Any, arguments: Any, env: Env, keywords: Any = ()) -> Value:
        """What stands for a node is a call of a function of the class."""
        return self.meant(
            node, lambda: gast.Call(self.given(function), list(arguments), list(keywords)), env, function
        )

    def placed(self, new: gast.expr, node: gast.AST) -> gast.expr:
        for inner in every_node(new):
            if getattr(inner, "lineno", None) is None and hasattr(node, "lineno"):
                gast.copy_location(inner, node)
        return new

    def fresh(self, wish: str) -> str:
        """A new variable of the function, which functions inside it may capture."""
        new = self.code.names.fresh(wish)
        self.code.locals.add(new)
        self.code.settled.add(new)
        return new

    def given(self, thing: Any) -> gast.Name:
        """A name for an object that the text of the program does not name."""
        return name(self.code.give(thing))

    def let(
        self, nodes: Sequence[gast.expr], build: Callable[..., gast.expr], wish: str = "items", anew: bool = False
    ) -> gast.expr:
        """What `build` makes of the nodes, each evaluated once: `build` gets their names.

        `anew`: a name of its own for a variable too, which may be bound to something else before what is built runs.
        """
        bindings: list[gast.NamedExpr] = []
        held: list[str] = []
        for node in nodes:
            if isinstance(node, gast.Name) and not anew:
                held.append(node.id)
                continue
            held.append(self.fresh(wish))
            bindings.append(gast.NamedExpr(name(held[-1], store=True), node))
        value = build(*held)
        return Let(bindings, value) if bindings else value


def is_enum(value: Value) -> bool:
    """Is it a class of the user's whose members are its only objects?"""
    return value.known is not None and isinstance(value.known.value, enum.EnumMeta)
